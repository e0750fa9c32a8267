package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.lambda.Lambda;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Drives a function with the messages of a queue, as an event source mapping does: what was handled
 * is deleted; what failed, by exception or by answer, stays hidden for the queue's visibility
 * timeout and then comes again. The queue itself sees to it that of a FIFO group one batch is in
 * flight at a time; groups run in parallel up to the concurrency.
 */
final class QueuePoller implements EventSource {
  private static final Logger LOG = LoggerFactory.getLogger(QueuePoller.class);

  /**
   * How long the queue waits for a message before it answers that there is none; one that comes
   * meanwhile is answered at once. SQS allows 20, but the embedded queues do not stop before the
   * last wait is over.
   */
  private static final int WAIT_SECONDS = 2;

  private static final Duration PAUSE_AFTER_FAULT = Duration.ofMillis(200);

  private final SqsClient sqs;
  private final String queueUrl;
  private final Lambda function;
  private final int batch;
  private final int concurrency;
  private final Semaphore free;
  private final Thread poller;
  private final CompletableFuture<Object> stopped = new CompletableFuture<>();

  QueuePoller(SqsClient sqs, String queueUrl, Lambda function, int batch, int concurrency) {
    this.sqs = sqs;
    this.queueUrl = queueUrl;
    this.function = function;
    this.batch = batch;
    this.concurrency = concurrency;
    this.free = new Semaphore(concurrency);
    this.poller = Thread.ofVirtual().name(function.name() + "-poller").start(this::run);
  }

  @Override
  public void stop() {
    stopped.complete(true);
  }

  @Override
  public void join() throws InterruptedException {
    poller.join();
    free.acquire(concurrency); // what was received is handled
  }

  /**
   * Receives and hands on, again and again. Only one waits at the queue, however many handle what
   * comes: waiting costs the embedded queues far more than handing out does.
   */
  private void run() {
    while (!stopped.isDone()) {
      try {
        free.acquire();
        List<Message> received = List.of();
        try {
          received = receiveUntilStopped();
        } finally {
          if (received.isEmpty()) {
            free.release();
          }
        }
        if (!received.isEmpty()) {
          List<Message> messages = received;
          Thread.ofVirtual().name(function.name() + "-worker").start(() -> handleAndFree(messages));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) { // a poller outlives any fault
        fault(e);
      }
    }
  }

  private List<Message> receiveUntilStopped() {
    // On a thread of its own, so that a stop need not wait until the queue has something to say.
    CompletableFuture<List<Message>> received =
        CompletableFuture.supplyAsync(this::receive, Thread::startVirtualThread);
    CompletableFuture.anyOf(received, stopped).join();
    return received.isDone() ? received.join() : List.of();
  }

  private void handleAndFree(List<Message> messages) {
    try {
      handle(messages);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) { // what was not deleted comes again
      fault(e);
    } finally {
      free.release();
    }
  }

  private void fault(RuntimeException e) {
    if (!stopped.isDone()) {
      LOG.warn("Polling for {} met a fault", function.name(), e);
      CompletableFuture.anyOf(
              stopped,
              new CompletableFuture<>()
                  .completeOnTimeout(true, PAUSE_AFTER_FAULT.toMillis(), TimeUnit.MILLISECONDS))
          .join();
    }
  }

  private List<Message> receive() {
    return sqs.receiveMessage(
            request ->
                request
                    .queueUrl(queueUrl)
                    .maxNumberOfMessages(Math.min(batch, 10))
                    .waitTimeSeconds(WAIT_SECONDS)
                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                    .messageAttributeNames("All"))
        .messages();
  }

  private void handle(List<Message> messages) throws InterruptedException {
    Set<String> failed;
    try {
      failed = FailedItems.in(function.invoke(event(messages)));
    } catch (Lambda.InvocationFailed e) {
      LOG.warn("The function {} failed", function.name(), e);
      return;
    }
    Set<String> known = messages.stream().map(Message::messageId).collect(Collectors.toSet());
    if (!known.containsAll(failed)) {
      LOG.warn("The function {} answered unknown failures {}", function.name(), failed);
      return; // as on AWS: then the whole batch has failed
    }
    List<DeleteMessageBatchRequestEntry> handled =
        messages.stream()
            .filter(message -> !failed.contains(message.messageId()))
            .map(
                message ->
                    DeleteMessageBatchRequestEntry.builder()
                        .id(message.messageId())
                        .receiptHandle(message.receiptHandle())
                        .build())
            .toList();
    if (!handled.isEmpty()) {
      sqs.deleteMessageBatch(request -> request.queueUrl(queueUrl).entries(handled));
    }
  }

  private byte[] event(List<Message> messages) {
    ObjectNode event = Json.object();
    ArrayNode records = event.putArray("Records");
    for (Message message : messages) {
      ObjectNode row = records.addObject();
      row.put("messageId", message.messageId());
      row.put("receiptHandle", message.receiptHandle());
      row.put("body", message.body());
      ObjectNode attributes = row.putObject("attributes");
      message.attributesAsStrings().forEach(attributes::put);
      ObjectNode own = row.putObject("messageAttributes");
      message
          .messageAttributes()
          .forEach(
              (name, value) ->
                  own.putObject(name)
                      .put("dataType", value.dataType())
                      .put("stringValue", value.stringValue()));
      row.put("md5OfBody", message.md5OfBody());
      row.put("eventSource", "aws:sqs");
      row.put("eventSourceARN", Aws.arn("sqs", queueUrl.substring(queueUrl.lastIndexOf('/') + 1)));
      row.put("awsRegion", Aws.REGION.id());
    }
    return Json.write(event).getBytes(StandardCharsets.UTF_8);
  }
}
