package io.actiongovernance.infra;

import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Limits of the concurrent invocations that a queue's messages may cause. */
public sealed interface Concurrency {
  /** The fewest concurrent invocations of an event source that Lambda accepts. */
  int LEAST = 2;

  /** The most concurrent invocations that an event source can have, whatever its setting. */
  int MOST = 1_000;

  /**
   * The limit of one event source, which is its share of the function's limit, rounded up; empty if
   * nothing limits it.
   *
   * @param sources the number of the function's event sources
   */
  OptionalInt of(Binding binding, int sources);

  /** The concurrency reserved for the function of a route that may wait; empty if none. */
  default OptionalInt keptFor(String function) {
    return OptionalInt.empty();
  }

  /**
   * The part of the reserved concurrency that may wait: four fifths, so that the rest answers
   * requests that do not wait; empty if nothing is reserved.
   */
  default OptionalInt mayWait(String function) {
    OptionalInt kept = keptFor(function);
    return kept.isEmpty() ? kept : OptionalInt.of(kept.getAsInt() * 4 / 5);
  }

  /** The sum of {@link #keptFor} over all functions. */
  default int allWaiting() {
    return 0;
  }

  /** The functions of routes for which concurrency is reserved. */
  default Set<String> keeping() {
    return Set.of();
  }

  /**
   * The concurrency reserved for requests to unknown paths. It is also their limit, so that a flood
   * of them takes nothing from others. Empty if nothing is reserved.
   */
  default OptionalInt ofUnknownPaths() {
    return OptionalInt.empty();
  }

  /**
   * The functions that messages start. No other functions have event sources that can be limited.
   */
  static List<Binding> polling() {
    return Trigger.bindings().stream()
        .filter(
            binding ->
                binding.source() instanceof Messages || binding.source() instanceof DeadLetters)
        .toList();
  }

  /**
   * Limits and reserves nothing. It is for accounts that begin with ten concurrent functions,
   * because Lambda reserves nothing in an account with a limit of at most a hundred.
   */
  record None() implements Concurrency {
    @Override
    public OptionalInt of(Binding binding, int sources) {
      return OptionalInt.empty();
    }
  }

  /**
   * Limits every event source of a queue.
   *
   * @param scale multiplies the concurrency of each trigger
   * @param functions limits of single functions, by name, which replace the scaled concurrency;
   *     each is in total, over all of a function's event sources
   * @param waiting the reservations of functions of routes that may wait, by name. Each is also a
   *     limit, so that they take nothing that approvals need.
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
