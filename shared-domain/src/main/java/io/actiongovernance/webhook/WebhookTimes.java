package io.actiongovernance.webhook;

import java.time.Duration;

/**
 * The times of an attempt, each less than the next: the exchange, what the function may run, the
 * lease, and how long a received message stays hidden. So that while an attempt may be under way,
 * nobody begins another.
 */
public final class WebhookTimes {
  private WebhookTimes() {}

  /** How long the whole exchange with an endpoint may take (contract, section 8). */
  public static final Duration EXCHANGE = Duration.ofSeconds(10);

  /** The same with a mail server, which takes several turns, and some make one wait. */
  public static final Duration MAIL = Duration.ofSeconds(18);

  /** How long the function that makes attempts may run. */
  public static final Duration TIMEOUT = Duration.ofSeconds(25);

  /** How long an attempt that was begun counts as under way. */
  static final Duration LEASE = Duration.ofSeconds(27);

  /** How long a received message stays hidden. */
  public static final Duration VISIBILITY = Duration.ofSeconds(30);

  /** How much too early an attempt may be made: clocks differ. */
  static final Duration EARLY = Duration.ofSeconds(1);

  /** When the sweeper looks again at a delivery whose message was sent. */
  static final Duration RECHECK = Duration.ofMinutes(1);

  /** The same where messages queue up, since attempts take long: one that fails. */
  static final Duration RECHECK_FAILING = Duration.ofMinutes(5);
}
