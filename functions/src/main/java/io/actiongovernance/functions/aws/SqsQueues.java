package io.actiongovernance.functions.aws;

import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.store.StoreUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** The queues of this deployment. The URL of each is looked up once, by its name. Thread-safe. */
public final class SqsQueues {
  private final SqsClient sqs;
  private final String prefix;
  private final Map<DeployedQueue, String> urls = new ConcurrentHashMap<>();

  public SqsQueues(SqsClient sqs, String prefix) {
    this.sqs = sqs;
    this.prefix = prefix;
  }

  /** Sends to the queue of a kind that has only one. */
  void send(Queue queue, Consumer<SendMessageRequest.Builder> message) {
    send(queue.first(), message);
  }

  /**
   * Sends a message that lacks only its queue.
   *
   * @throws StoreUnavailable if SQS refused the message or did not respond: the work is stored, and
   *     its requester may retry
   */
  void send(DeployedQueue queue, Consumer<SendMessageRequest.Builder> message) {
    try {
      String url = urls.computeIfAbsent(queue, this::find);
      sqs.sendMessage(request -> message.accept(request.queueUrl(url)));
    } catch (SdkException e) {
      throw new StoreUnavailable("SQS did not take the message.", e);
    }
  }

  /**
   * A message for a fair queue.
   *
   * @param body the message's text
   * @param group the group that shares the queue fairly with others
   */
  public record Fair(String body, String group) {}

  /**
   * Sends up to ten messages; returns the positions of those that SQS refused.
   *
   * @throws StoreUnavailable as {@link #send} does
   */
  List<Integer> sendAll(Queue queue, List<Fair> messages) {
    try {
      String url = urls.computeIfAbsent(queue.first(), this::find);
      List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
      for (Fair message : messages) {
        entries.add(
            SendMessageBatchRequestEntry.builder()
                .id(Integer.toString(entries.size()))
                .messageBody(message.body())
                .messageGroupId(message.group())
                .build());
      }
      return sqs
          .sendMessageBatch(request -> request.queueUrl(url).entries(entries))
          .failed()
          .stream()
          .map(failed -> Integer.valueOf(failed.id()))
          .toList();
    } catch (SdkException e) {
      throw new StoreUnavailable("SQS did not take the messages.", e);
    }
  }

  private String find(DeployedQueue queue) {
    String name = queue.wireName(prefix);
    return sqs.getQueueUrl(request -> request.queueName(name)).queueUrl();
  }
}
