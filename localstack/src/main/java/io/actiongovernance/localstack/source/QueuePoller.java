package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.trigger.Queue;
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

  /**
   * How long to leave a FIFO queue alone that had nothing to hand out, while something is hidden.
   */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private static final Duration PAUSE_AFTER_FAULT = Duration.ofMillis(200);

  private final SqsClient sqs;
  private final String queueUrl;
  private final Queue queue;
  private final Lambda function;
  private final int batch;
  private final int concurrency;
  private final Semaphore free;
  private final Semaphore handled = new Semaphore(0);
  private final Thread poller;
  private final CompletableFuture<Object> stopped = new CompletableFuture<>();

  /** Until when a message that was not handled stays hidden, on the clock of {@code nanoTime}. */
  private volatile long hiddenUntil = System.nanoTime();

  /**
   * @param queue whose messages these are, or dead letters
   */
  QueuePoller(
      SqsClient sqs, String queueUrl, Queue queue, Lambda function, int batch, int concurrency) {
    this.sqs = sqs;
    this.queueUrl = queueUrl;
    this.queue = queue;
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
          received = hidden() ? receiveOrPause() : receiveUntilStopped();
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

  /**
   * Whether a message of the FIFO queue may be hidden, and others of its group wait behind it.
   * Asked to wait for a message then, the embedded queue looks for one again and again without a
   * pause.
   */
  private boolean hidden() {
    boolean handling = free.availablePermits() < concurrency - 1;
    return queue.fifo() && (handling || System.nanoTime() - hiddenUntil < 0);
  }

  private List<Message> receiveOrPause() throws InterruptedException {
    handled.drainPermits();
    List<Message> received = receive(0);
    if (received.isEmpty()) {
      // What is handled may have made way for the next of its group.
      handled.tryAcquire(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }
    return received;
  }

  private List<Message> receiveUntilStopped() {
    // On a thread of its own, so that a stop need not wait until the queue has something to say.
    CompletableFuture<List<Message>> received =
        CompletableFuture.supplyAsync(() -> receive(WAIT_SECONDS), Thread::startVirtualThread);
    CompletableFuture.anyOf(received, stopped).join();
    return received.isDone() ? received.join() : List.of();
  }

  private void handleAndFree(List<Message> messages) {
    boolean all = false;
    try {
      all = handle(messages);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) { // what was not deleted comes again
      fault(e);
    } finally {
      if (!all) {
        hiddenUntil = System.nanoTime() + queue.visibility().toNanos();
      }
      free.release();
      handled.release();
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

  private List<Message> receive(int waitSeconds) {
    return sqs.receiveMessage(
            request ->
                request
                    .queueUrl(queueUrl)
                    .maxNumberOfMessages(Math.min(batch, 10))
                    .waitTimeSeconds(waitSeconds)
                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                    .messageAttributeNames("All"))
        .messages();
  }

  /** Whether all of the messages were handled. */
  private boolean handle(List<Message> messages) throws InterruptedException {
    Set<String> failed = failed(messages);
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
    return failed.isEmpty();
  }

  /** Has the function handle the messages; which it failed to. */
  private Set<String> failed(List<Message> messages) throws InterruptedException {
    Set<String> known = messages.stream().map(Message::messageId).collect(Collectors.toSet());
    try {
      Set<String> failed = FailedItems.in(function.invoke(event(messages)));
      if (known.containsAll(failed)) {
        return failed;
      }
      // As on AWS: then the whole batch has failed.
      LOG.warn("The function {} answered unknown failures {}", function.name(), failed);
    } catch (Lambda.InvocationFailed e) {
      LOG.warn("The function {} failed", function.name(), e);
    }
    return known;
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
