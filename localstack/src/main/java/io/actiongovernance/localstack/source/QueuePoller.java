package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * timeout and then comes again. Batches run in parallel up to the concurrency. As many messages are
 * received at once as there are invocations for, and deleted together when the last of them is
 * handled: each call of the embedded queues costs more than a message. Of a FIFO queue only one
 * batch is received at once, and the queue itself sees to it that of a group one is in flight.
 */
public final class QueuePoller implements EventSource {
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

  /** Messages that a queue hands out at once at most. */
  private static final int MOST_RECEIVED = 10;

  private static final Duration PAUSE_AFTER_FAULT = Duration.ofMillis(200);

  private final SqsClient sqs;
  private final String queueUrl;
  private final boolean fifo;
  private final Duration visibility;
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
   * What is polled.
   *
   * @param visibility how long the queue hides what was received
   */
  public record Polled(String queueUrl, boolean fifo, Duration visibility) {}

  /**
   * @param batch messages of one invocation at most
   * @param concurrency invocations at once at most
   */
  public QueuePoller(SqsClient sqs, Polled polled, Lambda function, int batch, int concurrency) {
    this.sqs = sqs;
    this.queueUrl = polled.queueUrl();
    this.fifo = polled.fifo();
    this.visibility = polled.visibility();
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
        int invocations = takeFree();
        List<List<Message>> batches = List.of();
        try {
          int most = Math.min(MOST_RECEIVED, invocations * batch);
          batches = batches(hidden() ? receiveOrPause(most) : receiveUntilStopped(most));
        } finally {
          free.release(invocations - batches.size());
        }
        start(batches);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) { // a poller outlives any fault
        fault(e);
      }
    }
  }

  /** Waits until an invocation is free, and takes all that can be used at once. */
  private int takeFree() throws InterruptedException {
    free.acquire();
    int further = fifo ? 0 : Math.min(free.availablePermits(), MOST_RECEIVED / batch - 1);
    // Nobody else takes any.
    return further > 0 && free.tryAcquire(further) ? 1 + further : 1;
  }

  private List<List<Message>> batches(List<Message> received) {
    List<List<Message>> batches = new ArrayList<>();
    for (int from = 0; from < received.size(); from += batch) {
      batches.add(received.subList(from, Math.min(from + batch, received.size())));
    }
    return batches;
  }

  /**
   * Whether a message of the FIFO queue may be hidden, and others of its group wait behind it.
   * Asked to wait for a message then, the embedded queue looks for one again and again without a
   * pause.
   */
  private boolean hidden() {
    boolean handling = free.availablePermits() < concurrency - 1;
    return fifo && (handling || System.nanoTime() - hiddenUntil < 0);
  }

  private List<Message> receiveOrPause(int most) throws InterruptedException {
    handled.drainPermits();
    List<Message> received = receive(most, 0);
    if (received.isEmpty()) {
      // What is handled may have made way for the next of its group.
      handled.tryAcquire(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
    }
    return received;
  }

  private List<Message> receiveUntilStopped(int most) {
    // On a thread of its own, so that a stop need not wait until the queue has something to say.
    CompletableFuture<List<Message>> received =
        CompletableFuture.supplyAsync(
            () -> receive(most, WAIT_SECONDS), Thread::startVirtualThread);
    CompletableFuture.anyOf(received, stopped).join();
    return received.isDone() ? received.join() : List.of();
  }

  /** Handles batches that were received together, each on a thread of its own. */
  private void start(List<List<Message>> batches) {
    Collection<Message> together = new ConcurrentLinkedQueue<>();
    AtomicInteger left = new AtomicInteger(batches.size());
    for (List<Message> messages : batches) {
      Thread.ofVirtual()
          .name(function.name() + "-worker")
          .start(() -> handleAndFree(messages, together, left));
    }
  }

  private void handleAndFree(
      List<Message> messages, Collection<Message> together, AtomicInteger left) {
    boolean all = false;
    try {
      List<Message> done = handle(messages);
      together.addAll(done);
      all = done.size() == messages.size();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) { // what was not deleted comes again
      fault(e);
    }
    try {
      if (left.decrementAndGet() == 0) {
        delete(together);
      }
    } catch (RuntimeException e) { // likewise
      fault(e);
    } finally {
      if (!all) {
        hiddenUntil = System.nanoTime() + visibility.toNanos();
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

  private List<Message> receive(int most, int waitSeconds) {
    return sqs.receiveMessage(
            request ->
                request
                    .queueUrl(queueUrl)
                    .maxNumberOfMessages(most)
                    .waitTimeSeconds(waitSeconds)
                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                    .messageAttributeNames("All"))
        .messages();
  }

  /** Returns those that were handled. */
  private List<Message> handle(List<Message> messages) throws InterruptedException {
    Set<String> failed;
    try {
      failed = FailedItems.in(function.invoke(event(messages)));
    } catch (Lambda.InvocationFailed e) {
      LOG.warn("The function {} failed", function.name(), e);
      return List.of();
    }
    Set<String> known = messages.stream().map(Message::messageId).collect(Collectors.toSet());
    if (!known.containsAll(failed)) {
      LOG.warn("The function {} answered unknown failures {}", function.name(), failed);
      return List.of(); // as on AWS: then the whole batch has failed
    }
    return messages.stream().filter(message -> !failed.contains(message.messageId())).toList();
  }

  private void delete(Collection<Message> handled) {
    List<DeleteMessageBatchRequestEntry> entries =
        handled.stream()
            .map(
                message ->
                    DeleteMessageBatchRequestEntry.builder()
                        .id(message.messageId())
                        .receiptHandle(message.receiptHandle())
                        .build())
            .toList();
    if (!entries.isEmpty()) {
      sqs.deleteMessageBatch(request -> request.queueUrl(queueUrl).entries(entries));
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
