package io.actiongovernance.localstack.source;

import io.actiongovernance.localstack.lambda.Lambda;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Passes the changes of a shard to a function, in order. After a failure, the changes before the
 * failed one count as done; it and those after it are passed again. A batch that fails as a whole
 * is halved until the failing change is alone. A change that fails alone too often goes to {@link
 * FailedChanges}, so that it does not hold up its shard forever.
 */
final class ChangeBatches {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeBatches.class);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private static final int MOST_DOUBLINGS = 10;

  private final Lambda function;
  private final String streamArn;
  private final FailedChanges failures;
  private final CountDownLatch stopped;

  ChangeBatches(Lambda function, String streamArn, FailedChanges failures, CountDownLatch stopped) {
    this.function = function;
    this.streamArn = streamArn;
    this.failures = failures;
    this.stopped = stopped;
  }

  /**
   * @param handled receives the sequence number up to which all changes are done, each time it
   *     advances
   * @return false if it was stopped before all changes were done
   */
  boolean handle(String shard, List<Record> changes, Consumer<String> handled)
      throws InterruptedException {
    int done = 0;
    int window = changes.size();
    int attempts = 0;
    while (done < changes.size()) {
      List<Record> batch = changes.subList(done, Math.min(done + window, changes.size()));
      int failedAt = invoke(batch);
      if (failedAt > 0) {
        done += failedAt;
        handled.accept(sequence(changes.get(done - 1)));
        attempts = 0;
        window = changes.size();
      }
      if (failedAt < batch.size() && failedAt >= 0) {
        window = failedAt == 0 ? Math.max(1, batch.size() / 2) : changes.size();
        attempts = batch.size() == 1 ? attempts + 1 : attempts;
        if (attempts == failures.attempts()) {
          failures.add(function.name(), streamArn, shard, batch.getFirst());
          handled.accept(sequence(batch.getFirst()));
          done++;
          attempts = 0;
          window = changes.size();
        } else if (stopped.await(pause(attempts), TimeUnit.MILLISECONDS)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the position of the first change that failed; the size of the batch if none did. */
  private int invoke(List<Record> batch) throws InterruptedException {
    Set<String> failed;
    try {
      failed = FailedItems.in(function.invoke(ChangeEvents.of(batch, streamArn)));
    } catch (Lambda.InvocationFailed e) {
      LOG.warn("The function {} failed", function.name(), e);
      return 0;
    }
    if (failed.isEmpty()) {
      return batch.size();
    }
    for (int at = 0; at < batch.size(); at++) {
      if (failed.contains(sequence(batch.get(at)))) {
        return at;
      }
    }
    LOG.warn("The function {} answered unknown failures {}", function.name(), failed);
    return 0; // as on AWS, this means that the whole batch has failed
  }

  private static long pause(int attempts) {
    return Math.min(
        FIRST_PAUSE.toMillis() << Math.min(attempts, MOST_DOUBLINGS), LONGEST_PAUSE.toMillis());
  }

  private static String sequence(Record change) {
    return change.dynamodb().sequenceNumber();
  }
}
