package io.actiongovernance.webhook;

import io.actiongovernance.time.Timer;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.time.Timers;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has deliveries attempted later, each time by a timer of its own. Thread-safe. */
public final class RetryTimers {
  public static final String PARTITION = "partition";
  public static final String ENDPOINT = "endpoint_id";
  public static final String DELIVERY = "delivery_id";

  private static final Logger LOG = LoggerFactory.getLogger(RetryTimers.class);

  private final Timers timers;

  public RetryTimers(Timers timers) {
    this.timers = timers;
  }

  /** Starts the timer that follows the delivery's last attempt; twice is harmless. */
  void start(Delivery delivery, Instant at) {
    Map<String, String> ids =
        Map.of(
            PARTITION,
            delivery.partition().key(),
            ENDPOINT,
            delivery.endpointId().value(),
            DELIVERY,
            delivery.id().value());
    String name = delivery.id() + "-" + delivery.attempt();
    try {
      timers.start(new Timer(TimerKind.WEBHOOK_RETRY, name, at, ids));
    } catch (RuntimeException e) {
      // The time is written down with the delivery: then the sweeper makes up for the timer.
      LOG.atWarn().setCause(e).addKeyValue("id", delivery.id()).log("No timer could be started");
    }
  }
}
