package io.actiongovernance.infra.restore;

import io.actiongovernance.infra.restore.TableService.Description;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Creates a table from the rows of an {@link Origin}, as a second table next to the one in use, and
 * sets what neither restoring nor importing carries over. Every step first checks what exists, so
 * that after an interrupted run, the next one continues. Nothing is deleted, and the table in use
 * is not changed.
 */
public final class RestoreTable {
  private final TableService tables;
  private final Steps steps;

  public RestoreTable(TableService tables, Steps steps) {
    this.tables = tables;
    this.steps = steps;
  }

  /**
   * The restore to perform.
   *
   * @param source the table in use
   * @param account the account that must own it
   * @param sample the most rows of each table to compare
   */
  public record Wanted(String source, WantedTable target, String account, int sample) {}

  /**
   * Restores the table.
   *
   * @return the differences; empty if nothing was applied, or if the table in use no longer exists
   * @throws Refused if it cannot be restored
   */
  public Optional<Comparison> run(Wanted wanted, Origin origin) {
    String target = wanted.target().name();
    Optional<Description> there = tables.find(target);
    Optional<Description> source = tables.find(wanted.source());
    there.or(() -> source).ifPresent(found -> requireAccount(found, wanted));
    origin.make(wanted, there.orElse(null), steps);
    if (there.isEmpty() && !steps.apply()) {
      steps.say("Would then add what restoring does not copy: " + carried(wanted.target()) + ".");
      return Optional.empty();
    }
    if (steps.apply()) {
      awaitActive(target);
    }
    complete(wanted.target());
    if (!steps.apply()) {
      return Optional.empty();
    }
    return source.map(_ -> compare(wanted));
  }

  private void requireAccount(Description found, Wanted wanted) {
    if (!found.arn().contains(":" + wanted.account() + ":")) {
      throw new Refused(
          "These credentials see the table %s, but the environment is in the account %s."
              .formatted(found.arn(), wanted.account()));
    }
  }

  private static String carried(WantedTable table) {
    return (table.policy() == null ? "" : "policy, ")
        + (table.streamed() ? "stream, " : "")
        + (table.expiry() == null ? "" : "time to live, ")
        + (table.protectedFromDeletion() ? "protection from deletion, " : "")
        + (table.restorable() ? "point-in-time recovery, " : "")
        + "tags";
  }

  private void complete(WantedTable table) {
    String name = table.name();
    Description found = found(name);
    String policy = table.policy();
    if (policy != null) {
      steps.step(
          "give it its policy", tables.hasPolicy(found), () -> tables.putPolicy(found, policy));
    }
    if (table.protectedFromDeletion()) {
      steps.step(
          "protect it from deletion",
          found.protectedFromDeletion(),
          () -> changed(name, () -> tables.protectFromDeletion(name)));
    }
    if (table.restorable()) {
      steps.step(
          "give it point-in-time recovery",
          tables.window(name).isPresent(),
          () -> steps.await(name + " is not restorable yet", () -> tables.makeRestorable(name)));
    }
    String expiry = table.expiry();
    if (expiry != null) {
      steps.step(
          "have its rows expire by " + expiry,
          tables.expiry(name).filter(expiry::equals).isPresent(),
          () -> tables.expireBy(name, expiry));
    }
    if (table.streamed()) {
      steps.step(
          "give it a stream", found.streamed(), () -> changed(name, () -> tables.stream(name)));
    }
    Map<String, String> missing = new HashMap<>(table.tags());
    missing.entrySet().removeAll(tables.tags(found).entrySet());
    steps.step("tag it", missing.isEmpty(), () -> tables.tag(found, missing));
  }

  private void changed(String table, Runnable change) {
    change.run();
    awaitActive(table);
  }

  private void awaitActive(String table) {
    steps.await(
        table + " is not active yet",
        () -> tables.find(table).filter(Description::active).isPresent());
  }

  private Description found(String table) {
    return tables.find(table).orElseThrow();
  }

  private Comparison compare(Wanted wanted) {
    Comparison comparison =
        Comparison.of(tables, wanted.source(), wanted.target().name(), wanted.sample());
    steps.say(comparison.sentence());
    comparison.keys().forEach(key -> steps.say("  " + key));
    return comparison;
  }
}
