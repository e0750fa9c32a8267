package io.actiongovernance.functions.queue;

import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.webhook.WebhookTimes;
import java.time.Duration;
import java.util.Locale;

/**
 * The queues. Deployment and local stack both build them from here; each has a dead-letter queue of
 * its kind.
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
  /**
   * Where in a stream a change is that could not be relayed, and was stepped over; for people to
   * look at.
   */
  FAILED_CHANGES(false, Duration.ofMinutes(1), 5),
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

  /** {@code governance-actions.fifo}. */
  public String wireName(String prefix) {
    return prefix + "-" + wire() + suffix();
  }

  /** {@code governance-actions-dead.fifo}. */
  public String deadLetterName(String prefix) {
    return prefix + "-" + wire() + "-dead" + suffix();
  }

  private String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private String suffix() {
    return fifo ? ".fifo" : "";
  }
}
