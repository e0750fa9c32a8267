package io.actiongovernance.functions.aws;

import io.actiongovernance.functions.trigger.Queue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** The queues of this deployment, found by name once each. Thread-safe. */
public final class SqsQueues {
  private final SqsClient sqs;
  private final String prefix;
  private final Map<Queue, String> urls = new ConcurrentHashMap<>();

  public SqsQueues(SqsClient sqs, String prefix) {
    this.sqs = sqs;
    this.prefix = prefix;
  }

  /** Sends a message, which is filled in but for its queue. */
  void send(Queue queue, Consumer<SendMessageRequest.Builder> message) {
    String url = urls.computeIfAbsent(queue, this::find);
    sqs.sendMessage(request -> message.accept(request.queueUrl(url)));
  }

  private String find(Queue queue) {
    String name = queue.wireName(prefix);
    return sqs.getQueueUrl(request -> request.queueName(name)).queueUrl();
  }
}
