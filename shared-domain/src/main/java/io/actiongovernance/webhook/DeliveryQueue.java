package io.actiongovernance.webhook;

/**
 * Queue of deliveries that wait for an attempt. The deliveries of a lane are handled one by one, so
 * that a slow endpoint does not delay the deliveries of others. A message may be lost or come
 * twice; the store is authoritative.
 */
public interface DeliveryQueue {
  /**
   * Requests an attempt as soon as the lane is free.
   *
   * @param lane messages of one lane are handled in order
   * @param number number of this sending of the delivery. Delivery and number are the deduplication
   *     key, which distinguishes a repeat from another sending
   */
  void send(Delivery delivery, String lane, long number);
}
