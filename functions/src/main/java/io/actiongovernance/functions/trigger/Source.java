package io.actiongovernance.functions.trigger;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.time.Duration;
import java.util.List;

/** The source of a function's events. */
public sealed interface Source {
  /**
   * Messages of a queue kind, in an {@code SQSEvent}. The function may report the messages that
   * failed.
   */
  record Messages(Queue queue) implements Source {}

  /** Messages of a queue kind on which its function failed too often. */
  record DeadLetters(Queue queue) implements Source {}

  /**
   * Changes of a table, in order. The function receives a {@code DynamodbEvent} and may report at
   * which change it failed.
   *
   * @param patterns Lambda filters: the function runs for changes that match any of them, or for
   *     all if there are none
   * @param patient whether to retry a change for as long as the stream keeps it, one batch of a
   *     shard at a time. This suits work that depends on another party's machine and that nothing
   *     waits for.
   */
  record Changes(Table table, List<String> patterns, boolean patient) implements Source {
    public Changes {
      patterns = List.copyOf(patterns);
      if (!table.streamed()) {
        throw new IllegalArgumentException(table + " has no stream.");
      }
    }

    public Changes(Table table, List<String> patterns) {
      this(table, patterns, false);
    }

    static Changes patient(Table table, List<String> patterns) {
      return new Changes(table, patterns, true);
    }

    static Changes relayed(Table table) {
      return new Changes(table, RelayedChanges.patterns());
    }
  }

  /** A fixed rate: whole minutes or, on the local stack, any duration. */
  record Every(Duration rate) implements Source {}

  /**
   * A timer that is due, as the task of the kind's state machine. The function receives the timer's
   * identifiers, as {@link TimerHandler} reads them. It answers {@code {"done":true}}, or {@code
   * {"wait_until":"…"}} to be called again then. On the local stack, at most as many run at once as
   * the function's concurrency permits.
   */
  record Timed(TimerKind kind) implements Source {}

  /** Direct invocations by name only. */
  record Invocation() implements Source {}
}
