package io.actiongovernance.localstack.aws;

import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.elasticmq.NodeAddress;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * ElasticMQ in this process. Its queues are only in memory. The tables are authoritative, and
 * everything that a restart loses is dispatched again from them. Deduplication is by queue, not by
 * group. Thread-safe.
 */
public final class EmbeddedSqs implements AutoCloseable {
  private static final List<QueueAttributeName> DEPTH =
      List.of(
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);

  private final int actionQueues;
  private final SQSRestServer server;
  private final URI address;
  private final SqsClient client;
  private final Bells bells = new Bells();
  private final Map<DeployedQueue, String> urls = new HashMap<>();
  private final Map<DeployedQueue, String> deadLetterUrls = new HashMap<>();

  /**
   * Starts with the queues of the service.
   *
   * @param prefix the prefix of the queues' names
   * @param actionQueues number of queues that carry actions
   */
  public EmbeddedSqs(int publicPort, String prefix, int actionQueues) {
    this(publicPort, actionQueues);
    for (DeployedQueue queue : Queue.all(actionQueues)) {
      create(queue, prefix);
    }
  }

  /**
   * Starts without queues.
   *
   * @param publicPort the port of the endpoint that queue URLs name
   */
  public EmbeddedSqs(int publicPort) {
    this(publicPort, 0);
  }

  private EmbeddedSqs(int publicPort, int actionQueues) {
    this.actionQueues = actionQueues;
    this.server =
        SQSRestServerBuilder.withInterface(Aws.LOOPBACK)
            .withDynamicPort()
            .withServerAddress(new NodeAddress("http", Aws.LOOPBACK, publicPort, ""))
            .withAWSRegion(Aws.REGION.id())
            .withAWSAccountId(Aws.ACCOUNT)
            .start();
    InetSocketAddress bound = server.waitUntilStarted().localAddress();
    this.address = URI.create("http://" + Aws.LOOPBACK + ":" + bound.getPort());
    this.client =
        Aws.client(
            SqsClient.builder()
                .overrideConfiguration(change -> change.addExecutionInterceptor(new Ringing())),
            address,
            AnonymousCredentialsProvider.create());
  }

  /** The server's own address, behind the endpoint that queue URLs name. */
  URI address() {
    return address;
  }

  public SqsClient client() {
    return client;
  }

  /**
   * Returns the bell that rings when this client has sent a message to the queue and the message
   * can be received.
   */
  public Bell bell(String queueUrl) {
    return bells.of(queueUrl);
  }

  private final class Ringing implements ExecutionInterceptor {
    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
      switch (context.request()) {
        case SendMessageRequest send -> bells.of(send.queueUrl()).ring();
        case SendMessageBatchRequest send -> bells.of(send.queueUrl()).ring();
        default -> {}
      }
    }
  }

  /** Returns the queues whose messages, or dead letters, start the binding's function. */
  public List<DeployedQueue> queues(Binding binding) {
    return binding.queues(actionQueues);
  }

  public String url(DeployedQueue queue) {
    return Objects.requireNonNull(urls.get(queue));
  }

  /** Returns the URL of the queue of a kind that has only one. */
  public String url(Queue queue) {
    return url(queue.first());
  }

  public String deadLetterUrl(DeployedQueue queue) {
    return Objects.requireNonNull(deadLetterUrls.get(queue));
  }

  /**
   * Returns whether a queue holds nothing, which means that no message waits, is delayed, or is
   * being handled.
   */
  public boolean isEmpty(String queueUrl) {
    return client
        .getQueueAttributes(request -> request.queueUrl(queueUrl).attributeNames(DEPTH))
        .attributes()
        .values()
        .stream()
        .allMatch("0"::equals);
  }

  private void create(DeployedQueue queue, String prefix) {
    Map<QueueAttributeName, String> attributes = new HashMap<>();
    attributes.put(
        QueueAttributeName.VISIBILITY_TIMEOUT,
        Long.toString(queue.kind().visibility().toSeconds()));
    if (queue.kind().fifo()) {
      attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    deadLetterUrls.put(queue, create(queue.deadLetterName(prefix), attributes));
    attributes.put(
        QueueAttributeName.REDRIVE_POLICY,
        "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"%s\"}"
            .formatted(Aws.arn("sqs", queue.deadLetterName(prefix)), queue.kind().receives()));
    urls.put(queue, create(queue.wireName(prefix), attributes));
  }

  private String create(String name, Map<QueueAttributeName, String> attributes) {
    return client.createQueue(request -> request.queueName(name).attributes(attributes)).queueUrl();
  }

  @Override
  public void close() {
    client.close();
    server.stopAndWait();
  }
}
