package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DestinationId;
import java.time.Instant;
import java.util.Optional;

/**
 * Behaviour of one kind of destination on the path that all deliveries share: finding, notifying
 * and suspending the destination. Thread-safe.
 */
public interface DestinationType {
  /** Returns the destination as it is now; empty unless it exists and is active. */
  Optional<Active> active(Partition partition, DestinationId id);

  interface Active {
    /**
     * Sends the delivery to the destination, once, in less than {@link WebhookTimes#TIMEOUT}.
     *
     * @param data the stored content of the delivery
     */
    WebhookSender.Reply tell(Delivery delivery, String data, Instant now);

    /**
     * Suspends the destination. If it has changed since it was read, it is not suspended and must
     * be judged again.
     */
    void suspend(String reason);
  }
}
