package io.actiongovernance.localstack.source;

import io.actiongovernance.localstack.aws.Bell;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.source.Checkpoints.Position;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Drives a function with the changes of a table, as an event source mapping does. It goes shard by
 * shard, a child after its parent, in order and at least once. It continues at the position in
 * {@link Checkpoints}; the first time, it starts at the beginning of the stream.
 */
public final class StreamPoller implements EventSource {
  private static final Logger LOG = LoggerFactory.getLogger(StreamPoller.class);

  /** Minimum pause between two reads of a stream that work waits for. */
  private static final Duration PROMPT = Duration.ofMillis(40);

  /**
   * Minimum pause between two reads of a stream that only serves notifications. A read costs a
   * query of the database, and each batch queries whom to notify.
   */
  private static final Duration UNHURRIED = Duration.ofMillis(100);

  /**
   * Maximum pause between two reads of a stream while its table's bell does not ring. AWS reads as
   * often.
   */
  private static final Duration UNTOLD = Duration.ofMillis(250);

  private static final Duration SETTLED_ASKED_EVERY = Duration.ofSeconds(1);

  private static final Duration PAUSE_AFTER_FAULT = Duration.ofMillis(500);

  /** Interval between queries for the shards, which roll over every few hours. */
  private static final Duration SHARDS_KNOWN_FOR = Duration.ofSeconds(5);

  private final DynamoDbStreamsClient streams;
  private final String streamArn;
  private final boolean prompt;
  private final Bell bell;
  private final int batch;
  private final ChangeFilter filter;
  private final Checkpoints checkpoints;
  private final BooleanSupplier settled;
  private final ChangeBatches batches;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  private final Map<String, String> iterators = new HashMap<>();
  private List<Shard> shards = List.of();
  private long shardsKnownAt;
  private long settledAskedAt = System.nanoTime();

  /**
   * @param filter admits the changes that the function gets
   * @param batch maximum number of changes in one invocation
   * @param prompt whether work waits for the changes, which are then read more often
   * @param bell rings when something was written to the table, if this process knows
   */
  public record Polled(
      String streamArn, ChangeFilter filter, int batch, boolean prompt, Bell bell) {}

  /**
   * @param settled returns whether everything that the changes caused is done
   */
  public StreamPoller(
      DynamoDbStreamsClient streams,
      Polled polled,
      Lambda function,
      Checkpoints checkpoints,
      BooleanSupplier settled,
      FailedChanges failures) {
    this.streams = streams;
    this.streamArn = polled.streamArn();
    this.prompt = polled.prompt();
    this.bell = polled.bell();
    this.batch = polled.batch();
    this.filter = polled.filter();
    this.checkpoints = checkpoints;
    this.settled = settled;
    this.batches = new ChangeBatches(function, polled.streamArn(), failures, stopped);
    this.thread = Thread.ofVirtual().name(function.name() + "-poller").start(this::run);
  }

  @Override
  public void stop() {
    stopped.countDown();
    bell.ring();
  }

  @Override
  public void join() throws InterruptedException {
    thread.join();
  }

  private void run() {
    try {
      while (stopped.getCount() > 0) {
        long heard = bell.rung();
        Duration pause = round();
        if (System.nanoTime() - settledAskedAt > SETTLED_ASKED_EVERY.toNanos()) {
          writeCheckpoints();
        }
        if (pause.isPositive()) {
          stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
          bell.await(heard, UNTOLD);
        }
      }
      writeCheckpoints();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Writes the checkpoints once nothing that the changes caused is still on a queue. It queries the
   * queues only occasionally; after every batch, the queries would keep them busy with nothing
   * else.
   */
  private void writeCheckpoints() {
    if (!checkpoints.unwritten()) {
      return;
    }
    settledAskedAt = System.nanoTime();
    try {
      if (settled.getAsBoolean()) {
        checkpoints.write();
      }
    } catch (RuntimeException e) { // a poller must survive any fault
      LOG.warn("The checkpoint of {} could not be written", streamArn, e);
    }
  }

  /** Reads every shard once, and returns how long to pause. */
  private Duration round() throws InterruptedException {
    try {
      if (shards.isEmpty() || System.nanoTime() - shardsKnownAt > SHARDS_KNOWN_FOR.toNanos()) {
        findShards();
      }
      boolean more = false;
      for (Shard shard : shards) {
        if (!checkpoints.of(shard.shardId()).finished() && ready(shard)) {
          more |= read(shard);
        }
      }
      if (more) {
        return Duration.ZERO;
      }
      return prompt ? PROMPT : UNHURRIED;
    } catch (RuntimeException e) { // a poller must survive any fault
      LOG.warn("Reading {} met a fault", streamArn, e);
      iterators.clear();
      return PAUSE_AFTER_FAULT;
    }
  }

  private void findShards() {
    List<Shard> found = new ArrayList<>();
    String last = null;
    do {
      String from = last;
      StreamDescription page =
          streams
              .describeStream(request -> request.streamArn(streamArn).exclusiveStartShardId(from))
              .streamDescription();
      found.addAll(page.shards());
      last = page.lastEvaluatedShardId();
    } while (last != null);
    shards = found;
    shardsKnownAt = System.nanoTime();
    checkpoints.retain(found.stream().map(Shard::shardId).collect(Collectors.toSet()));
  }

  /** Returns whether the shard's parent has been handled to its end. */
  private boolean ready(Shard shard) {
    return shards.stream()
        .filter(other -> other.shardId().equals(shard.parentShardId()))
        .allMatch(parent -> checkpoints.of(parent.shardId()).finished());
  }

  /** Handles the next changes of a shard, and returns whether there may already be more. */
  private boolean read(Shard shard) throws InterruptedException {
    String id = shard.shardId();
    GetRecordsResponse page;
    try {
      String iterator = iterators.computeIfAbsent(id, this::iterator);
      page = streams.getRecords(request -> request.shardIterator(iterator).limit(batch));
    } catch (ExpiredIteratorException e) {
      iterators.remove(id);
      return true;
    } catch (TrimmedDataAccessException e) {
      // Without a checkpoint nothing is missed: a new stream also reports this for its own
      // beginning.
      if (checkpoints.of(id).after() != null) {
        LOG.warn("The stream {} no longer has what follows its checkpoint", streamArn, e);
      }
      checkpoints.set(id, new Position(null, false));
      iterators.remove(id);
      return true;
    }
    List<Record> changes = page.records();
    if (!changes.isEmpty()) {
      if (!handle(id, changes)) {
        return false; // stopped before the end
      }
    }
    if (page.nextShardIterator() == null) {
      iterators.remove(id);
      checkpoints.set(id, new Position(checkpoints.of(id).after(), true));
      shards = List.of();
      return true;
    }
    iterators.put(id, page.nextShardIterator());
    return changes.size() == batch;
  }

  /**
   * Handles the changes that the filter admits. The others count as done as soon as they are read.
   */
  private boolean handle(String shard, List<Record> changes) throws InterruptedException {
    List<Record> admitted = changes.stream().filter(filter::admits).toList();
    if (!batches.handle(
        shard, admitted, after -> checkpoints.set(shard, new Position(after, false)))) {
      return false;
    }
    String last = changes.getLast().dynamodb().sequenceNumber();
    checkpoints.set(shard, new Position(last, false));
    return true;
  }

  private String iterator(String shard) {
    String after = checkpoints.of(shard).after();
    return streams
        .getShardIterator(
            request -> {
              request.streamArn(streamArn).shardId(shard);
              if (after == null) {
                request.shardIteratorType(ShardIteratorType.TRIM_HORIZON);
              } else {
                request
                    .shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                    .sequenceNumber(after);
              }
            })
        .shardIterator();
  }
}
