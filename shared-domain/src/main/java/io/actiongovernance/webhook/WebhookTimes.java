package io.actiongovernance.webhook;

import java.time.Duration;

/**
 * Times of an attempt, each less than the next: the exchange, the function's timeout, the lease,
 * and the visibility timeout of a received message. So no other attempt begins while one may be in
 * progress.
 */
public final class WebhookTimes {
  private WebhookTimes() {}

  /** Maximum duration of an exchange with an endpoint (contract, section 8). */
  public static final Duration EXCHANGE = Duration.ofSeconds(10);

  /**
   * Maximum duration of an exchange with a mail server. It takes several turns, and some servers
   * delay them.
   */
  public static final Duration MAIL = Duration.ofSeconds(18);

  /** Timeout of the function that makes attempts. */
  public static final Duration TIMEOUT = Duration.ofSeconds(25);

  /** Time for which a begun attempt counts as in progress. */
  static final Duration LEASE = Duration.ofSeconds(27);

  public static final Duration VISIBILITY = Duration.ofSeconds(30);

  /** Tolerance for an attempt that comes too early, because clocks differ. */
  static final Duration EARLY = Duration.ofSeconds(1);

  /** Interval after which the sweeper looks again at a delivery whose message was sent. */
  static final Duration RECHECK = Duration.ofMinutes(1);

  /**
   * Interval after which the sweeper looks again at a delivery to a failing destination, whose slow
   * attempts make messages queue up.
   */
  static final Duration RECHECK_FAILING = Duration.ofMinutes(5);
}
