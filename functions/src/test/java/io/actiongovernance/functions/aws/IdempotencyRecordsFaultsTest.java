package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.functions.aws.FaultyDynamo.Fault;
import io.actiongovernance.functions.aws.IdempotencyRecords.Entry;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What becomes of the records of idempotency keys when DynamoDB has too much to do. */
final class IdempotencyRecordsFaultsTest {
  private static final Fault THROTTLED =
      Fault.instead(FaultyDynamo.error("ProvisionedThroughputExceededException"));

  private final String key = "throttled-" + UUID.randomUUID();
  private final Instant now = Instant.now();
  private final Entry begun = new Entry("print", "id", 1, null);

  /** Records of which the first request is throttled. */
  private static IdempotencyRecords throttled() {
    return new IdempotencyRecords(FaultyDynamo.with(THROTTLED), EmbeddedDynamo.NAMES);
  }

  @Test
  void throttledRecordOperationsSucceedOnRetry() {
    assertThat(throttled().begin(key, begun, now)).isTrue();
    assertThat(throttled().begin(key, begun, now)).isFalse();
    Entry taken = new Entry("print", "id", 2, null);
    assertThat(throttled().takeOver(key, begun, taken)).isTrue();
    assertThat(throttled().find(key)).contains(taken);
    Entry answered = new Entry("print", "id", 2, "answer");
    throttled().complete(key, answered, now);
    assertThat(throttled().find(key)).contains(answered);
    throttled().release(key);
    assertThat(throttled().find(key)).isEmpty();
  }

  @Test
  void aRecordOperationThatStaysThrottledIsUnavailable() {
    FaultyDynamo dynamo = FaultyDynamo.always(THROTTLED);
    IdempotencyRecords records = new IdempotencyRecords(dynamo, EmbeddedDynamo.NAMES);
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> records.find(key));
    assertThat(dynamo.requests()).hasSize(Attempts.MOST);
  }
}
