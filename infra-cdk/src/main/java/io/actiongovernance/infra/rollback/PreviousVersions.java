package io.actiongovernance.infra.rollback;

import io.actiongovernance.infra.rollback.PublishedVersions.Alias;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps the version of each function that ran before the last deployment under the alias {@code
 * previous}, and deletes older ones. A deployment reads {@link #live} before it begins, and calls
 * {@link #keep} once it has succeeded.
 */
public final class PreviousVersions {
  private final PublishedVersions versions;
  private final Consumer<String> says;

  /**
   * @param says receives a line for each result
   */
  public PreviousVersions(PublishedVersions versions, Consumer<String> says) {
    this.versions = versions;
    this.says = says;
  }

  /** A function with the alias {@code live}, and all of its aliases. */
  private record Deployed(String function, Alias live, Map<String, Alias> aliases) {
    int version() {
      return live.version();
    }

    boolean isNamed(int version) {
      return aliases.values().stream()
          .anyMatch(alias -> alias.version() == version || alias.others().contains(version));
    }

    /** The function as it is once {@code previous} names the version. */
    Deployed withPrevious(int version) {
      Map<String, Alias> next = new HashMap<>(aliases);
      next.put(
          PublishedVersions.PREVIOUS, new Alias(PublishedVersions.PREVIOUS, version, Set.of(), ""));
      return new Deployed(function, live, next);
    }
  }

  private List<Deployed> deployed(String prefix) {
    return versions.functions(prefix).stream()
        .flatMap(
            function -> {
              Map<String, Alias> aliases = versions.aliases(function);
              return Stream.ofNullable(aliases.get(PublishedVersions.LIVE))
                  .map(live -> new Deployed(function, live, aliases));
            })
        .toList();
  }

  /** The versions that {@code live} names, by function. */
  public Map<String, Integer> live(String prefix) {
    return deployed(prefix).stream()
        .collect(
            Collectors.toMap(Deployed::function, Deployed::version, (one, _) -> one, TreeMap::new));
  }

  /**
   * Makes {@code previous} name the version that was live before, if the deployment changed any
   * version. It also deletes older versions that no alias names.
   *
   * @param before the live versions before the deployment
   */
  public void keep(String prefix, Map<String, Integer> before) {
    List<Deployed> deployed = deployed(prefix);
    Map<String, List<Integer>> published =
        deployed.stream()
            .collect(
                Collectors.toMap(Deployed::function, each -> versions.versions(each.function())));
    boolean changed =
        deployed.stream()
            .anyMatch(
                each -> before.getOrDefault(each.function(), each.version()) != each.version());
    delete(changed ? named(deployed, before, published) : deployed, published);
  }

  private List<Deployed> named(
      List<Deployed> deployed, Map<String, Integer> before, Map<String, List<Integer>> published) {
    List<Deployed> named = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    int kept = 0;
    for (Deployed each : deployed) {
      Integer version = before.get(each.function());
      if (version == null) {
        named.add(each);
      } else if (published.getOrDefault(each.function(), List.of()).contains(version)) {
        name(each, version);
        named.add(each.withPrevious(version));
        kept++;
      } else {
        named.add(each);
        gone.add(each.function());
      }
    }
    says.accept("Kept the previous version of %s functions.".formatted(kept));
    if (!gone.isEmpty()) {
      says.accept(
          ("The previous version of %s functions is gone: CloudFormation deleted it, as the build"
                  + " that made it asked. They cannot go back to it: %s.")
              .formatted(gone.size(), String.join(", ", gone)));
    }
    return named;
  }

  private void name(Deployed deployed, int version) {
    Alias previous = deployed.aliases().get(PublishedVersions.PREVIOUS);
    if (previous == null) {
      versions.name(deployed.function(), PublishedVersions.PREVIOUS, version);
    } else if (previous.version() != version) {
      versions.move(deployed.function(), previous, version);
    }
  }

  /**
   * Deletes versions without an alias that are older than the live one. Newer versions stay,
   * because after a rollback, CloudFormation still regards them as in use, and returns to them if
   * its next update fails.
   */
  private void delete(List<Deployed> deployed, Map<String, List<Integer>> published) {
    int deleted = 0;
    for (Deployed each : deployed) {
      for (int version : published.getOrDefault(each.function(), List.of())) {
        if (version < each.version() && !each.isNamed(version)) {
          Optional<String> problem = versions.delete(each.function(), version);
          problem.ifPresent(
              why ->
                  says.accept(
                      "Version %s of %s could not be deleted: %s"
                          .formatted(version, each.function(), why)));
          deleted += problem.isEmpty() ? 1 : 0;
        }
      }
    }
    if (deleted > 0) {
      says.accept("Deleted %s older versions.".formatted(deleted));
    }
  }
}
