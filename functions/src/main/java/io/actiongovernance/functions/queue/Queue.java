package io.actiongovernance.functions.queue;

import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.webhook.WebhookTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The kinds of queues. Deployment and local stack both build them from here: one of each, but as
 * many of {@link #ACTIONS} as the deployment says. Each has a dead-letter queue of its kind.
 */
public enum Queue {
  /**
   * Actions to execute: group = hash of tenant, mode and entity key. Receives are for faults, of
   * which ten minutes are to be outlasted.
   */
  ACTIONS(true, KernelTimes.VISIBILITY, 20),
  /** Actions and plans to look at again after a pause; its messages are delayed. */
  RESUME(false, Duration.ofMinutes(1), 5),
  /** Ingested envelopes to propose for. */
  PROPOSALS(false, Duration.ofMinutes(2), 5),
  /** Exports to write: longer than one may take. */
  EXPORTS(false, Duration.ofMinutes(16), 5),
  /** Plans that were proposed or disposed, whose timers are to be started or stopped. */
  PLAN_TIMERS(false, Duration.ofMinutes(1), 5),
  /** Facts that webhook endpoints may want to hear of. */
  DELIVERIES(false, Duration.ofMinutes(1), 5),
  /** Deliveries to attempt: groups are lanes of one endpoint each. */
  ATTEMPTS(true, WebhookTimes.VISIBILITY, 5),
  /** Shards in which something of the kernel's is due. */
  SWEEPS(false, Duration.ofMinutes(2), 5),
  /** Shards in which attempts of webhook deliveries are due. */
  DELIVERY_SWEEPS(false, Duration.ofMinutes(2), 5),
  /** Shards in which operators are due to run by their schedule. */
  SCHEDULE_RUNS(false, Duration.ofMinutes(2), 5),
  /**
   * Names of the records of changes that could not be relayed, and were stepped over: relayed again
   * every quarter of an hour, for a day.
   */
  FAILED_CHANGES(false, Duration.ofMinutes(15), 96),
  /** Facts that the bus could not hand to their queue; for people to look at. */
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

  /** How long a received message stays hidden: longer than its function may run. */
  public Duration visibility() {
    return visibility;
  }

  /** After how many receives a message goes to the dead-letter queue. */
  public int receives() {
    return receives;
  }

  /** The queues of the kind in a deployment whose actions have so many. */
  public List<DeployedQueue> deployed(int actionQueues) {
    return IntStream.rangeClosed(1, this == ACTIONS ? actionQueues : 1)
        .mapToObj(number -> new DeployedQueue(this, number))
        .toList();
  }

  /** All queues of a deployment whose actions have so many. */
  public static List<DeployedQueue> all(int actionQueues) {
    return Arrays.stream(values()).flatMap(kind -> kind.deployed(actionQueues).stream()).toList();
  }

  /** The only queue of the kind, or the first of the actions. */
  public DeployedQueue first() {
    return new DeployedQueue(this, 1);
  }

  /** {@code governance-proposals}: the name of the {@link #first}. */
  public String wireName(String prefix) {
    return first().wireName(prefix);
  }

  /** {@code governance-proposals-dead}: the name of the dead-letter queue of the {@link #first}. */
  public String deadLetterName(String prefix) {
    return first().deadLetterName(prefix);
  }

  String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
