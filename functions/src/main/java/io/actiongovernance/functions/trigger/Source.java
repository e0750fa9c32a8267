package io.actiongovernance.functions.trigger;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.time.Duration;
import java.util.List;

/** Where the events of a function come from. */
public sealed interface Source {
  /**
   * Messages of the queues of a kind. The function gets an {@code SQSEvent} and may answer which of
   * its messages failed.
   */
  record Messages(Queue queue) implements Source {}

  /** Messages that the function of a kind of queue failed on too often. */
  record DeadLetters(Queue queue) implements Source {}

  /**
   * Changes of a table, in order. The function gets a {@code DynamodbEvent} and may answer where it
   * failed.
   *
   * @param patterns it is run for changes that match one of them, as Lambda's filters do; for all
   *     if there are none
   * @param patient whether a change is tried for as long as the stream has it, one batch of a shard
   *     at a time: of what waits for somebody else's machine, and nothing waits for
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

  /** The passing of time, at a fixed rate of whole minutes or, on the local stack, any duration. */
  record Every(Duration rate) implements Source {}

  /**
   * A timer that is due: the task of the kind's state machine. The function gets the timer's
   * identifiers, as {@link TimerHandler} reads them, and answers {@code {"done":true}}, or {@code
   * {"wait_until":"…"}} to be asked again then. On the local stack no more than its concurrency run
   * at once.
   */
  record Timed(TimerKind kind) implements Source {}

  /** Nothing but a direct invocation by name. */
  record Invocation() implements Source {}
}
