package io.actiongovernance.webhook;

/**
 * Queue of deliveries that wait for an attempt. Each lane is handled one by one, so that a slow
 * endpoint delays nobody else's deliveries. A message may be lost or come twice; the store is
 * authoritative.
 */
public interface DeliveryQueue {
  /**
   * Requests an attempt as soon as the lane is free.
   *
   * @param lane messages of one lane are handled in order
   * @param number of this sending of the delivery; delivery and number are the deduplication key,
   *     which distinguishes a repeat from another sending
   */
  void send(Delivery delivery, String lane, long number);
}
