package io.actiongovernance.functions.queue;

import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.webhook.WebhookTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The kinds of queues, from which the deployment and the local stack build them. There is one queue
 * of each kind, but as many of {@link #ACTIONS} as the deployment specifies. Each queue has a
 * dead-letter queue.
 */
public enum Queue {
  /**
   * Actions to execute. A message's group is the hash of tenant, mode and entity key. Only faults
   * use up receives, and the receives must outlast ten minutes of faults.
   */
  ACTIONS(true, KernelTimes.VISIBILITY, 20),
  /** Actions and plans to check again after a pause. Their messages are delayed. */
  RESUME(false, Duration.ofMinutes(1), 5),
  /** Ingested envelopes for which operators may make proposals. */
  PROPOSALS(false, Duration.ofMinutes(2), 5),
  /** Exports to write. The visibility timeout exceeds the longest export. */
  EXPORTS(false, Duration.ofMinutes(16), 5),
  /** Proposed or disposed plans whose timers must be started or stopped. */
  PLAN_TIMERS(false, Duration.ofMinutes(1), 5),
  /** Facts to which webhook endpoints may subscribe. */
  DELIVERIES(false, Duration.ofMinutes(1), 5),
  /** Deliveries to attempt. Each message group is a lane of one endpoint. */
  ATTEMPTS(true, WebhookTimes.VISIBILITY, 5),
  /** Shards in which a kernel step is due. */
  SWEEPS(false, Duration.ofMinutes(2), 5),
  /** Shards in which attempts at webhook deliveries are due. */
  DELIVERY_SWEEPS(false, Duration.ofMinutes(2), 5),
  /** Shards in which operators are due by their schedule. */
  SCHEDULE_RUNS(false, Duration.ofMinutes(2), 5),
  /**
   * Names of records of changes that a relay could not pass on and therefore skipped. They are
   * relayed again every quarter of an hour, for a day.
   */
  FAILED_CHANGES(false, Duration.ofMinutes(15), 96),
  /** Facts that the bus could not deliver to their queue. People inspect them. */
  FAILED_FACTS(false, Duration.ofMinutes(1), 5);

  private final boolean fifo;
  private final Duration visibility;
  private final int receives;

  Queue(boolean fifo, Duration visibility, int receives) {
    this.fifo = fifo;
    this.visibility = visibility;
    this.receives = receives;
  }

  public boolean fifo() {
    return fifo;
  }

  /**
   * Time for which a received message stays hidden. It is longer than the queue's function may run.
   */
  public Duration visibility() {
    return visibility;
  }

  /** The number of receives after which a message goes to the dead-letter queue. */
  public int receives() {
    return receives;
  }

  /** The queues of the kind, in a deployment with this number of action queues. */
  public List<DeployedQueue> deployed(int actionQueues) {
    return IntStream.rangeClosed(1, this == ACTIONS ? actionQueues : 1)
        .mapToObj(number -> new DeployedQueue(this, number))
        .toList();
  }

  /** All queues of a deployment with this number of action queues. */
  public static List<DeployedQueue> all(int actionQueues) {
    return Arrays.stream(values()).flatMap(kind -> kind.deployed(actionQueues).stream()).toList();
  }

  /** The only queue of the kind, or the first of the actions. */
  public DeployedQueue first() {
    return new DeployedQueue(this, 1);
  }

  /** The name of the {@link #first} queue, such as {@code governance-proposals}. */
  public String wireName(String prefix) {
    return first().wireName(prefix);
  }

  /**
   * The name of the dead-letter queue of the {@link #first}, such as {@code
   * governance-proposals-dead}.
   */
  public String deadLetterName(String prefix) {
    return first().deadLetterName(prefix);
  }

  String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
