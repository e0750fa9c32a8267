package io.actiongovernance.localstack.source;

import io.actiongovernance.localstack.aws.Bell;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.source.Turns.Turn;
import java.time.Duration;
import java.time.Instant;
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
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Drives a function with the messages of a queue, as an event source mapping does. Handled messages
 * are deleted. Messages that failed, by exception or by answer, stay hidden for the queue's
 * visibility timeout and then come again. Batches run in parallel up to the concurrency. Messages
 * of batches that begin together are deleted together when the last batch is handled, because each
 * call of the embedded queues costs more than a message.
 *
 * <p>From a standard queue it receives more messages than there are free invocations, so that
 * {@link Turns} can choose the next message. The embedded queue hands out messages only by age,
 * whereas SQS is fair. From a FIFO queue it receives only one batch at a time, and the queue itself
 * ensures that only one message of a group is in flight.
 */
public final class QueuePoller implements EventSource {
  private static final Logger LOG = LoggerFactory.getLogger(QueuePoller.class);

  /**
   * Seconds for which the queue waits for a message before it answers that there is none. A message
   * that arrives in the meantime is handed out immediately. SQS allows 20, but the embedded queues
   * do not stop before the last wait has ended.
   */
  private static final int WAIT_SECONDS = 2;

  /**
   * Pause if a FIFO queue hands out nothing while something is hidden. The bell ends the pause if a
   * message was sent, or if a handled one makes way for the next of its group. Otherwise only
   * hidden messages can have become visible.
   */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /** Maximum number of received messages that wait for their turns. */
  private static final int MOST_WAITING = 1_000;

  /**
   * The fraction of the visibility timeout, as a divisor, after which a waiting message is hidden
   * again.
   */
  private static final int HIDDEN_ANEW = 4;

  /**
   * The time within which a message that is handed out counts as not having waited for its turn.
   */
  private static final Duration AT_ONCE = Duration.ofMillis(200);

  private static final Duration PAUSE_AFTER_FAULT = Duration.ofMillis(200);

  private final PolledQueue queue;
  private final boolean fifo;
  private final Bell bell;
  private final Duration visibility;
  private final Lambda function;
  private final int batch;
  private final int concurrency;
  private final Semaphore free;
  private final Semaphore handled = new Semaphore(0);
  private final Turns turns = new Turns();
  private final Thread poller;
  private final CompletableFuture<Object> stopped = new CompletableFuture<>();

  /** Time until which an unhandled message stays hidden, on the clock of {@code nanoTime}. */
  private volatile long hiddenUntil = System.nanoTime();

  /**
   * The messages of one invocation.
   *
   * @param waited whether a part of the time for which the queue hides them has passed
   */
  private record Batch(List<Message> messages, boolean waited) {}

  /**
   * @param visibility the time for which the queue hides received messages
   * @param bell rings when a message was sent, if this process knows
   */
  public record Polled(String queueUrl, boolean fifo, Duration visibility, Bell bell) {}

  /**
   * @param batch maximum number of messages of one invocation
   * @param concurrency maximum number of invocations at once
   */
  public QueuePoller(SqsClient sqs, Polled polled, Lambda function, int batch, int concurrency) {
    this.queue = new PolledQueue(sqs, polled.queueUrl());
    this.fifo = polled.fifo();
    this.bell = polled.bell();
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
    free.acquire(concurrency); // all messages that were handed out have been handled
    queue.hide(turns.take(turns.size()).stream().map(Turn::message).toList(), Duration.ZERO);
  }

  /**
   * Receives messages and hands them out until stopped. Only one thread waits at the queue,
   * regardless of how many handle messages, because waiting costs the embedded queues far more than
   * handing out.
   */
  private void run() {
    while (!stopped.isDone()) {
      try {
        if (fifo) {
          receiveAndStart();
        } else {
          receiveAndHandOut();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) { // a poller must survive any fault
        fault(e);
      }
    }
  }

  /** Serves a FIFO queue. It receives nothing before there is a free invocation for it. */
  private void receiveAndStart() throws InterruptedException {
    free.acquire();
    List<Message> received = List.of();
    try {
      received = hidden() ? receiveOrPause(batch) : receiveUntilStopped(batch, WAIT_SECONDS);
    } finally {
      if (received.isEmpty()) {
        free.release();
      }
    }
    if (!received.isEmpty()) {
      start(List.of(new Batch(received, false)));
    }
  }

  /** Serves a standard queue. Received messages wait for their turns. */
  private void receiveAndHandOut() throws InterruptedException {
    queue.hide(turns.hiddenFor(hiddenAnew(), Instant.now()), visibility);
    if (turns.size() >= MOST_WAITING) {
      handled.drainPermits();
      handled.tryAcquire(hiddenAnew().toMillis(), TimeUnit.MILLISECONDS);
      return;
    }
    int invocations = free.availablePermits();
    int most = invocations == 0 ? PolledQueue.MOST_AT_ONCE : invocations * batch;
    int wait = turns.size() == 0 ? WAIT_SECONDS : 1;
    List<Message> received = receiveUntilStopped(Math.min(PolledQueue.MOST_AT_ONCE, most), wait);
    turns.add(received, Instant.now());
    handOut();
  }

  private Duration hiddenAnew() {
    return visibility.dividedBy(HIDDEN_ANEW);
  }

  /** Starts as many invocations as are free, in the order of turns. */
  private synchronized void handOut() {
    boolean more = true;
    while (more && !stopped.isDone()) {
      List<Batch> batches = new ArrayList<>();
      int left = PolledQueue.MOST_AT_ONCE;
      while (left > 0 && turns.size() > 0 && free.tryAcquire()) {
        List<Turn> next = turns.take(Math.min(batch, left));
        left -= next.size();
        batches.add(batch(next));
      }
      start(batches);
      more = left == 0;
    }
  }

  private static Batch batch(List<Turn> turns) {
    Instant since = Instant.now().minus(AT_ONCE);
    return new Batch(
        turns.stream().map(Turn::message).toList(),
        turns.stream().anyMatch(turn -> turn.hiddenSince().isBefore(since)));
  }

  /**
   * Returns whether a message of the FIFO queue may be hidden, with others of its group behind it.
   * If the embedded queue were then asked to wait for a message, it would look for one
   * continuously, without a pause.
   */
  private boolean hidden() {
    boolean handling = free.availablePermits() < concurrency - 1;
    return handling || System.nanoTime() - hiddenUntil < 0;
  }

  private List<Message> receiveOrPause(int most) throws InterruptedException {
    long heard = bell.rung();
    List<Message> received = queue.receive(most, 0);
    if (received.isEmpty()) {
      bell.await(heard, LOOK_AGAIN);
    }
    return received;
  }

  private List<Message> receiveUntilStopped(int most, int waitSeconds) {
    // On its own thread, so that a stop need not wait for the queue's answer.
    CompletableFuture<List<Message>> received =
        CompletableFuture.supplyAsync(
            () -> queue.receive(most, waitSeconds), Thread::startVirtualThread);
    CompletableFuture.anyOf(received, stopped).join();
    return received.isDone() ? received.join() : List.of();
  }

  /** Handles batches that were received together, each on its own thread. */
  private void start(List<Batch> batches) {
    Collection<Message> together = new ConcurrentLinkedQueue<>();
    AtomicInteger left = new AtomicInteger(batches.size());
    for (Batch next : batches) {
      Thread.ofVirtual()
          .name(function.name() + "-worker")
          .start(() -> handleAndFree(next, together, left));
    }
  }

  private void handleAndFree(Batch next, Collection<Message> together, AtomicInteger left) {
    List<Message> messages = next.messages();
    boolean all = false;
    try {
      if (next.waited()) {
        queue.hide(messages, visibility);
      }
      List<Message> done = handle(messages);
      together.addAll(done);
      all = done.size() == messages.size();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) { // messages that were not deleted come again
      fault(e);
    }
    try {
      if (left.decrementAndGet() == 0) {
        queue.delete(together);
      }
    } catch (RuntimeException e) { // messages that were not deleted come again
      fault(e);
    } finally {
      if (!all) {
        hiddenUntil = System.nanoTime() + visibility.toNanos();
      }
      turns.done(messages);
      free.release();
      handled.release();
      bell.ring();
    }
    if (!fifo) {
      handOutAfter();
    }
  }

  private void handOutAfter() {
    try {
      handOut();
    } catch (RuntimeException e) { // the poller tries again
      fault(e);
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

  /** Handles messages; returns those that were handled. */
  private List<Message> handle(List<Message> messages) throws InterruptedException {
    Set<String> failed;
    try {
      failed = FailedItems.in(function.invoke(queue.event(messages)));
    } catch (Lambda.InvocationFailed e) {
      LOG.warn("The function {} failed", function.name(), e);
      return List.of();
    }
    Set<String> known = messages.stream().map(Message::messageId).collect(Collectors.toSet());
    if (!known.containsAll(failed)) {
      LOG.warn("The function {} answered unknown failures {}", function.name(), failed);
      return List.of(); // as on AWS, this means that the whole batch has failed
    }
    return messages.stream().filter(message -> !failed.contains(message.messageId())).toList();
  }
}
