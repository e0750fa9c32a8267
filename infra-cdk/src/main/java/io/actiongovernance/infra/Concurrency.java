package io.actiongovernance.infra;

import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** How many invocations the messages of a queue may have running at once. */
public sealed interface Concurrency {
  /** The fewest that Lambda takes for an event source. */
  int LEAST = 2;

  /** The most that an event source has, whatever it is told. */
  int MOST = 1_000;

  /**
   * What one event source of the function may have running at once: its part of what the function
   * may, rounded up; empty if nothing bounds it.
   *
   * @param sources how many event sources the function has
   */
  OptionalInt of(Binding binding, int sources);

  /** What is kept for the function of a route that may wait; empty if nothing is. */
  default OptionalInt keptFor(String function) {
    return OptionalInt.empty();
  }

  /**
   * How many of these may wait: four fifths, so that the rest answers who does not; empty if
   * nothing is kept for it.
   */
  default OptionalInt mayWait(String function) {
    OptionalInt kept = keptFor(function);
    return kept.isEmpty() ? kept : OptionalInt.of(kept.getAsInt() * 4 / 5);
  }

  /** The same as {@link #keptFor} of all of them together. */
  default int allWaiting() {
    return 0;
  }

  /** The functions of routes that something is kept for. */
  default Set<String> keeping() {
    return Set.of();
  }

  /**
   * What is kept for requests to paths that there are none of, and all that they get: whoever sends
   * them in masses takes nothing of what others need. Empty if nothing is kept.
   */
  default OptionalInt ofUnknownPaths() {
    return OptionalInt.empty();
  }

  /** The functions that messages start: only their event sources can be bounded. */
  static List<Binding> polling() {
    return Trigger.bindings().stream()
        .filter(
            binding ->
                binding.source() instanceof Messages || binding.source() instanceof DeadLetters)
        .toList();
  }

  /**
   * Nothing is bounded and nothing reserved. For accounts that begin with ten functions at once:
   * Lambda reserves nothing in an account that has no more than a hundred.
   */
  record None() implements Concurrency {
    @Override
    public OptionalInt of(Binding binding, int sources) {
      return OptionalInt.empty();
    }
  }

  /**
   * Every event source of a queue is bounded.
   *
   * @param scale how many times the concurrency of each trigger is multiplied
   * @param functions what single functions have in the place of that, by their names: in all, over
   *     all of their event sources
   * @param waiting what is kept for functions of routes that may wait, each alone, by their names:
   *     as much as they have, so that they take nothing of what approving needs
   */
  record Bounded(int scale, Map<String, Integer> functions, Map<String, Integer> waiting)
      implements Concurrency {
    private static final int UNKNOWN_PATHS = 20;

    public Bounded {
      functions = Map.copyOf(functions);
      waiting = Map.copyOf(waiting);
    }

    @Override
    public OptionalInt keptFor(String function) {
      return waiting.containsKey(function)
          ? OptionalInt.of(waiting.get(function))
          : OptionalInt.empty();
    }

    @Override
    public OptionalInt ofUnknownPaths() {
      return OptionalInt.of(UNKNOWN_PATHS);
    }

    @Override
    public Set<String> keeping() {
      return waiting.keySet();
    }

    @Override
    public int allWaiting() {
      return waiting.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public OptionalInt of(Binding binding, int sources) {
      int most = functions.getOrDefault(binding.function(), binding.concurrency() * scale);
      return OptionalInt.of(Math.max(LEAST, Math.ceilDiv(most, sources)));
    }
  }
}
