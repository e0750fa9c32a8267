package io.actiongovernance.localstack.bench;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A FIFO queue without anything behind it. Thread-safe. */
final class BareQueue {
  private final SqsClient sqs;
  private final String url;

  BareQueue(SqsClient sqs) {
    this.sqs = sqs;
    this.url =
        sqs.createQueue(
                request ->
                    request
                        .queueName("bench-" + UUID.randomUUID() + ".fifo")
                        .attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")))
            .queueUrl();
  }

  /** A message sent, received and deleted; whose it is does not matter. */
  void through(String id) {
    sqs.sendMessage(
        request ->
            request.queueUrl(url).messageBody(id).messageGroupId(id).messageDeduplicationId(id));
    List<Message> received =
        sqs.receiveMessage(request -> request.queueUrl(url).maxNumberOfMessages(1)).messages();
    for (Message message : received) {
      sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(message.receiptHandle()));
    }
  }
}
