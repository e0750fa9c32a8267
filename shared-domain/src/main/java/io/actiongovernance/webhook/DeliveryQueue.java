package io.actiongovernance.webhook;

/**
 * Where deliveries wait for an attempt, in lanes, each handled one by one: a slow endpoint holds up
 * nobody else's. A message may be lost or come twice; the store is the truth.
 */
public interface DeliveryQueue {
  /**
   * Has an attempt made as soon as the lane is free.
   *
   * @param lane what is sent to the same lane is handled in order
   * @param number of this sending of the delivery: the two are the deduplication key, by which a
   *     repeat is told from another sending
   */
  void send(Delivery delivery, String lane, long number);
}
