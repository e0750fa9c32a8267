package io.actiongovernance.infra;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The permitted changes of tables' generations between deployments. A new generation must have been
 * restored and must follow the one in use, and no earlier generation returns.
 */
final class Generations {
  private Generations() {}

  /**
   * Refuses a table of a later generation that would be created empty, and a retired table.
   *
   * @param before the last deployment's record; null if there was none
   * @param environment the environment's name
   * @throws IllegalStateException with the first refused table, in one sentence
   */
  static void require(
      @Nullable DeploymentRecord before, DeploymentRecord next, String environment) {
    Set<String> used = before == null ? Set.of() : before.tables();
    Set<String> restored = before == null ? Set.of() : before.restored();
    Set<String> retired = before == null ? Set.of() : before.retired();
    for (String table : new TreeSet<>(retired)) {
      if (!next.retired().contains(table)) {
        throw new IllegalStateException(
            ("%s has retired the table %s, and a retired generation cannot be used again. Restore"
                    + " the next one.")
                .formatted(environment, table));
      }
    }
    for (String table : new TreeSet<>(next.retired())) {
      if (!used.contains(table) && !retired.contains(table)) {
        throw new IllegalStateException(
            ("%s has never used the table %s, which this would retire. Go from one generation to"
                    + " the next.")
                .formatted(environment, table));
      }
    }
    for (String table : new TreeSet<>(next.tables())) {
      if (isLater(table, next) && !used.contains(table) && !restored.contains(table)) {
        throw new IllegalStateException(
            ("%s has no table %s yet, so this would create an empty one. Restore it first with"
                    + " infra-cdk/restore.")
                .formatted(environment, table));
      }
    }
  }

  /**
   * Returns whether the table is of a later generation than the first, which means that earlier
   * ones are retired.
   */
  private static boolean isLater(String table, DeploymentRecord lock) {
    return lock.retired().stream()
        .anyMatch(
            earlier ->
                table.startsWith(earlier)
                    && table.substring(earlier.length()).matches("-[0-9]{1,2}"));
  }
}
