package io.actiongovernance.functions.aws;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.Delivery;
import io.actiongovernance.webhook.DeliveryQueue;

/** The lanes of deliveries as message groups of a FIFO queue. Thread-safe. */
public final class SqsDeliveryQueue implements DeliveryQueue {
  private final SqsQueues queues;

  public SqsDeliveryQueue(SqsQueues queues) {
    this.queues = queues;
  }

  @Override
  public void send(Delivery delivery, String lane, long number) {
    String body =
        Json.write(
            Json.object()
                .put("partition", delivery.partition().key())
                .put("endpoint_id", delivery.to().value())
                .put("delivery_id", delivery.id().value()));
    queues.send(
        Queue.ATTEMPTS,
        request ->
            request
                .messageBody(body)
                .messageGroupId(lane)
                .messageDeduplicationId(delivery.id() + "-" + number));
  }
}
