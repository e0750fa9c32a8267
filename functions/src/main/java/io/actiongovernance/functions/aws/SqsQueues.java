package io.actiongovernance.functions.aws;

import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.store.StoreUnavailable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** The queues of this deployment, found by name once each. Thread-safe. */
public final class SqsQueues {
  private final SqsClient sqs;
  private final String prefix;
  private final Map<DeployedQueue, String> urls = new ConcurrentHashMap<>();

  public SqsQueues(SqsClient sqs, String prefix) {
    this.sqs = sqs;
    this.prefix = prefix;
  }

  /** The same to a queue that there is one of. */
  void send(Queue queue, Consumer<SendMessageRequest.Builder> message) {
    send(queue.first(), message);
  }

  /**
   * Sends a message, which is filled in but for its queue.
   *
   * @throws StoreUnavailable if SQS did not take it, or did not say so: what is to be done is
   *     stored, and whoever waits for it may ask again
   */
  void send(DeployedQueue queue, Consumer<SendMessageRequest.Builder> message) {
    try {
      String url = urls.computeIfAbsent(queue, this::find);
      sqs.sendMessage(request -> message.accept(request.queueUrl(url)));
    } catch (SdkException e) {
      throw new StoreUnavailable("SQS did not take the message.", e);
    }
  }

  private String find(DeployedQueue queue) {
    String name = queue.wireName(prefix);
    return sqs.getQueueUrl(request -> request.queueName(name)).queueUrl();
  }
}
