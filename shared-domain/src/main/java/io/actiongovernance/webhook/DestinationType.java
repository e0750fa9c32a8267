package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DestinationId;
import java.time.Instant;
import java.util.Optional;

/**
 * What the destinations of a kind do for themselves on the path that all deliveries share: being
 * found, being told, and being given up. Thread-safe.
 */
public interface DestinationType {
  /** The destination as it is now; empty unless it is there and active. */
  Optional<Active> active(Partition partition, DestinationId id);

  /** An active destination, as it was read. */
  interface Active {
    /**
     * Tells it, once, in less than {@link WebhookTimes#TIMEOUT}.
     *
     * @param data what the delivery tells, as it was kept
     */
    WebhookSender.Reply tell(Delivery delivery, String data, Instant now);

    /**
     * Suspends it; does nothing if it has been changed since it was read, and is to be judged anew.
     */
    void suspend(String reason);
  }
}
