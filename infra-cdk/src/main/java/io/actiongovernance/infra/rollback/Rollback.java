package io.actiongovernance.infra.rollback;

import io.actiongovernance.infra.rollback.PublishedVersions.Alias;
import io.actiongovernance.infra.rollback.PublishedVersions.State;
import io.actiongovernance.infra.rollback.PublishedVersions.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Moves the alias {@code live} of each function to the version that {@code previous} names. No
 * alias is moved before all of these versions can be invoked. After an interrupted run, the next
 * one moves only the remaining aliases.
 */
public final class Rollback {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** The longest wait for snapshots, counted in pauses: ten minutes. */
  private static final int MOST_PAUSES = 120;

  private final PublishedVersions versions;
  private final Consumer<Duration> sleeper;
  private final Consumer<String> says;
  private final boolean apply;

  /**
   * @param says receives a line for each step
   * @param apply whether to act; if false, it only prints the steps
   */
  public Rollback(
      PublishedVersions versions,
      Consumer<Duration> sleeper,
      Consumer<String> says,
      boolean apply) {
    this.versions = versions;
    this.sleeper = sleeper;
    this.says = says;
    this.apply = apply;
  }

  /** Thrown if the functions cannot go back. Its message is the reason, in one sentence. */
  public static final class Refused extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Refused(String sentence) {
      super(sentence);
    }
  }

  /**
   * A function that goes back.
   *
   * @param state the state of the version that it goes back to
   */
  private record Step(String function, Alias live, int version, State state) {
    String target() {
      return function + ":" + version;
    }
  }

  /**
   * Makes the functions go back.
   *
   * @param prefix the prefix of the functions' names
   * @throws Refused before anything is moved, if they cannot go back
   */
  public void run(String prefix) {
    List<Step> steps = steps(prefix);
    if (steps.isEmpty()) {
      says.accept("There is nothing to go back to.");
      return;
    }
    List<Step> asleep = steps.stream().filter(step -> step.state() != State.READY).toList();
    if (!apply) {
      asleep.forEach(step -> says.accept("Would wake %s.".formatted(step.target())));
      steps.forEach(step -> says.accept("Would move " + moved(step) + "."));
      says.accept("Would move %s functions back; nothing was changed.".formatted(steps.size()));
      return;
    }
    awake(asleep);
    for (Step step : steps) {
      versions.move(step.function(), step.live(), step.version());
      says.accept("Moved " + moved(step) + ".");
    }
    says.accept("Moved %s functions back.".formatted(steps.size()));
  }

  private static String moved(Step step) {
    return "%s from version %s to %s"
        .formatted(step.function(), step.live().version(), step.version());
  }

  /** The steps to take. All versions involved must write the same stored form. */
  private List<Step> steps(String prefix) {
    List<Step> steps = new ArrayList<>();
    Map<String, String> writers = new TreeMap<>();
    int there = 0;
    for (String function : versions.functions(prefix)) {
      Map<String, Alias> aliases = versions.aliases(function);
      Alias live = aliases.get(PublishedVersions.LIVE);
      Alias previous = aliases.get(PublishedVersions.PREVIOUS);
      if (live == null) {
        continue;
      }
      if (previous == null) {
        says.accept("Left %s: it has no previous version.".formatted(function));
      } else if (live.version() == previous.version() && live.others().isEmpty()) {
        there++;
      } else {
        steps.add(step(function, live, previous.version(), writers));
      }
    }
    requireOneForm(writers);
    if (there > 0) {
      says.accept("%s functions already run their previous version.".formatted(there));
    }
    return steps;
  }

  /**
   * Determines the step of a function.
   *
   * @param writers for each stored form, a version that writes it; the versions involved here are
   *     added
   */
  private Step step(String function, Alias live, int target, Map<String, String> writers) {
    Set<Integer> others = new TreeSet<>(live.others());
    others.add(live.version());
    others.remove(target);
    for (int other : others) {
      require(function + ":" + other, versions.version(function, other), writers);
    }
    Version version = versions.version(function, target);
    Step step = new Step(function, live, target, version.state());
    require(step.target(), version, writers);
    requireWhole(step, version.state());
    return step;
  }

  private static void require(String name, Version version, Map<String, String> writers) {
    String form =
        WrittenForm.of(version.description())
            .orElseThrow(
                () ->
                    new Refused(
                        ("The version %s does not state which stored form it writes. Nothing was"
                                + " moved. Deploy the earlier build instead.")
                            .formatted(name)));
    writers.putIfAbsent(form, name);
  }

  private static void requireOneForm(Map<String, String> writers) {
    if (writers.size() > 1) {
      String all =
          writers.entrySet().stream()
              .map(each -> "%s writes %s".formatted(each.getValue(), each.getKey()))
              .collect(Collectors.joining("; "));
      throw new Refused(
          ("The versions write different stored forms, so the earlier ones may not read what is"
                  + " stored (%s). Nothing was moved.")
              .formatted(all));
    }
  }

  private static void requireWhole(Step step, State state) {
    if (state == State.FAILED) {
      throw new Refused(
          ("The version %s has failed and cannot be invoked. Nothing was moved. Deploy the earlier"
                  + " build instead.")
              .formatted(step.target()));
    }
  }

  /** Wakes the versions, and waits until each is ready. */
  private void awake(List<Step> asleep) {
    if (asleep.isEmpty()) {
      return;
    }
    says.accept("Waking %s versions …".formatted(asleep.size()));
    List<Step> waiting = asleep;
    for (int pauses = 0; ; pauses++) {
      waiting = waiting.stream().filter(step -> !isReady(step)).toList();
      if (waiting.isEmpty()) {
        return;
      }
      if (pauses == MOST_PAUSES) {
        throw new IllegalStateException(
            "%s versions are not ready yet, such as %s. Nothing was moved. Run this again later."
                .formatted(waiting.size(), waiting.getFirst().target()));
      }
      sleeper.accept(PAUSE);
    }
  }

  /**
   * Returns whether the version is ready. Lambda makes only a few snapshots at once, so a version
   * that is still asleep is woken again.
   */
  private boolean isReady(Step step) {
    State state = versions.version(step.function(), step.version()).state();
    requireWhole(step, state);
    if (state == State.ASLEEP) {
      versions.wake(step.function(), step.version());
    }
    return state == State.READY;
  }
}
