package io.actiongovernance.webhook;

import io.actiongovernance.time.Timer;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.time.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Schedules later attempts of deliveries by the profile, each with its own timer. Thread-safe. */
public final class RetryTimers {
  public static final String PARTITION = "partition";
  public static final String ENDPOINT = "endpoint_id";
  public static final String DELIVERY = "delivery_id";

  private static final Logger LOG = LoggerFactory.getLogger(RetryTimers.class);

  private final RetryProfile profile;
  private final Timers timers;
  private final RandomGenerator random;

  public RetryTimers(RetryProfile profile, Timers timers, RandomGenerator random) {
    this.profile = profile;
    this.timers = timers;
    this.random = random;
  }

  Duration first() {
    return profile.first();
  }

  /**
   * Returns the wait after this many attempts of the round have failed; empty if no attempt is
   * left.
   *
   * @param asked the wait that the endpoint asked for, or null
   */
  Optional<Duration> after(int made, @Nullable Duration asked) {
    return profile.after(made, asked, random);
  }

  /** Starts the timer that follows the delivery's last attempt. Starting it twice does no harm. */
  void start(Delivery delivery, Instant at) {
    Map<String, String> ids =
        Map.of(
            PARTITION,
            delivery.partition().key(),
            ENDPOINT,
            delivery.to().value(),
            DELIVERY,
            delivery.id().value());
    String name = delivery.id() + "-" + delivery.attempt();
    try {
      timers.start(new Timer(TimerKind.WEBHOOK_RETRY, name, at, ids));
    } catch (RuntimeException e) {
      // The time is recorded in the delivery, so the sweeper can replace the timer.
      LOG.atWarn().setCause(e).addKeyValue("id", delivery.id()).log("No timer could be started");
    }
  }
}
