package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.actiongovernance.functions.aws.FaultyDynamo.Fault;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store.Transacted;
import io.actiongovernance.store.Store.Written;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/** What the store makes of what DynamoDB answers when it is not well. */
final class DynamoStoreFaultsTest {
  private static final String SECRET = "nobody-may-read-this";

  private final String partition = "faults-" + UUID.randomUUID();
  private final Item item = Item.at(key("r")).with("n", 1).build();
  private final List<Write> writes =
      List.of(Write.insert(item), Write.check(key("q"), Condition.absent()));
  private final List<Duration> paused = new ArrayList<>();

  private Key key(String range) {
    return new Key(Table.STATE, partition, range);
  }

  private DynamoStore over(FaultyDynamo dynamo) {
    return new DynamoStore(dynamo, EmbeddedDynamo.NAMES, new Pauses(paused::add, new Random(1)));
  }

  /** A store of which the first requests meet these faults, and all others none. */
  private DynamoStore meeting(Fault... faults) {
    return over(FaultyDynamo.with(faults));
  }

  /** Requires that there were pauses so often, each drawn from twice as much as the last one. */
  private void requirePauses(int times) {
    assertThat(paused).hasSize(times);
    for (int each = 0; each < times; each++) {
      assertThat(paused.get(each)).isBetween(Duration.ofMillis(1), Duration.ofMillis(50L << each));
    }
  }

  @Test
  void aConflictWithAnotherTransactionIsContention() {
    Fault conflict = Fault.instead(FaultyDynamo.cancelled("None", "TransactionConflict"));
    assertThat(meeting(conflict).transact(writes)).isEqualTo(new Transacted.Contended());
  }

  @ParameterizedTest
  @ValueSource(strings = {"TransactionConflict", "ThrottlingError", "SomethingNew"})
  void aRefusalBesideAnotherReasonIsARefusal(String other) {
    Fault refused = Fault.instead(FaultyDynamo.cancelled(other, "ConditionalCheckFailed"));
    Transacted transacted = meeting(refused).transact(writes);
    assertThat(transacted).isInstanceOf(Transacted.Refused.class);
    assertThat(((Transacted.Refused) transacted).of(1)).isPresent();
    assertThat(((Transacted.Refused) transacted).of(0)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ThrottlingError", "ProvisionedThroughputExceeded"})
  void aThrottledTransactionIsRetriedAfterPauses(String code) {
    Fault throttled = Fault.instead(FaultyDynamo.cancelled(code, "None"));
    Fault besideConflict = Fault.instead(FaultyDynamo.cancelled(code, "TransactionConflict"));
    assertThat(meeting(throttled, besideConflict, throttled).transact(writes).done()).isTrue();
    requirePauses(3);
  }

  @Test
  void aTransactionThatStaysThrottledIsUnavailableInTheEnd() {
    FaultyDynamo dynamo =
        FaultyDynamo.always(Fault.instead(FaultyDynamo.cancelled("ThrottlingError", "None")));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(dynamo).transact(writes));
    assertThat(dynamo.requests()).hasSize(Attempts.MOST);
    requirePauses(Attempts.MOST - 1);
  }

  @Test
  void aTransactionInProgressIsRetriedUnderItsOwnToken() {
    FaultyDynamo dynamo =
        FaultyDynamo.with(
            Fault.after(TransactionInProgressException.builder().build()),
            Fault.instead(TransactionInProgressException.builder().build()));
    DynamoStore store = over(dynamo);
    List<Write> counting =
        List.of(Write.update(key("count"), Condition.always(), Change.add("n", 1)));
    assertThat(store.transact(counting).done()).isTrue();
    assertThat(store.get(key("count"))).hasValueSatisfying(found -> counted(found, 1));
    assertThat(store.transact(counting).done()).isTrue();
    assertThat(store.get(key("count"))).hasValueSatisfying(found -> counted(found, 2));
    List<String> tokens =
        dynamo.requests().stream()
            .filter(TransactWriteItemsRequest.class::isInstance)
            .map(request -> ((TransactWriteItemsRequest) request).clientRequestToken())
            .toList();
    assertThat(tokens).hasSize(4).doesNotContainNull();
    assertThat(tokens.subList(0, 3)).containsOnly(tokens.getFirst());
    assertThat(tokens.getLast()).isNotEqualTo(tokens.getFirst());
  }

  private static void counted(Item found, long times) {
    assertThat(found.whole("n", 0)).isEqualTo(times);
  }

  @Test
  void aTransactionThatStaysInProgressIsUnavailable() {
    FaultyDynamo dynamo =
        FaultyDynamo.always(Fault.instead(TransactionInProgressException.builder().build()));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(dynamo).transact(writes));
    assertThat(dynamo.requests()).hasSize(Attempts.MOST);
  }

  @Test
  void aCancellationForAnUnknownReasonIsUnavailable() {
    Fault unknown = Fault.instead(FaultyDynamo.cancelled("TransactionConflict", "SomethingNew"));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> meeting(unknown).transact(writes));
  }

  @Test
  void anUnansweredTransactionIsUnavailable() {
    Fault silent = Fault.instead(SdkClientException.create("timeout"));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> meeting(silent).write(Write.insert(item)));
    assertThat(paused).isEmpty();
  }

  @Test
  void aWriteRefusedAfterARetryMayHaveHappened() {
    Fault once = Fault.instead(ConditionalCheckFailedException.builder().numAttempts(1).build());
    assertThat(meeting(once).write(Write.insert(item)).done()).isFalse();
    Fault twice = Fault.instead(ConditionalCheckFailedException.builder().numAttempts(2).build());
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> meeting(twice).write(Write.insert(item)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded"
      })
  void aRefusalAfterThrottlesIsARefusal(String code) {
    Fault throttled = Fault.instead(FaultyDynamo.error(code));
    assertThat(meeting().write(Write.insert(item)).done()).isTrue();
    assertThat(meeting(throttled, throttled).write(Write.insert(item)))
        .isInstanceOfSatisfying(
            Written.Refused.class, refused -> assertThat(refused.found()).contains(item));
    requirePauses(2);
  }

  @Test
  void aWriteThatConflictsWithATransactionIsRetried() {
    Fault conflict = Fault.instead(TransactionConflictException.builder().build());
    assertThat(meeting(conflict).write(Write.insert(item)).done()).isTrue();
    assertThat(meeting(conflict).write(Write.insert(item)).done()).isFalse();
  }

  @Test
  void aRefusalAfterAnUnansweredAttemptStaysInDoubt() {
    Fault throttledAtLast = Fault.instead(FaultyDynamo.error("ThrottlingException", 2));
    Fault throttled = Fault.instead(FaultyDynamo.error("ThrottlingException"));
    Fault refused = Fault.instead(ConditionalCheckFailedException.builder().numAttempts(1).build());
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> meeting(throttledAtLast, throttled, refused).write(Write.insert(item)));
  }

  @Test
  void theClientsOwnAttemptsCount() {
    FaultyDynamo dynamo =
        FaultyDynamo.always(Fault.instead(FaultyDynamo.error("ThrottlingException", 3)));
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(dynamo).write(Write.insert(item)));
    assertThat(dynamo.requests()).hasSize(2);
  }

  @Test
  void throttledReadsAreRepeated() {
    Fault throttled = Fault.instead(FaultyDynamo.error("ProvisionedThroughputExceededException"));
    assertThat(meeting().write(Write.insert(item)).done()).isTrue();
    assertThat(meeting(throttled).get(item.key())).contains(item);
    assertThat(meeting(throttled).getAll(List.of(item.key()))).containsExactly(item);
    assertThat(meeting(throttled).query(Query.of(Table.STATE, partition)).items())
        .containsExactly(item);
    assertThat(paused).hasSize(3);
  }

  /** Reads one of the keys, and leaves the others. */
  private static final Fault READS_ONE =
      (request, done) -> {
        var wanted = ((BatchGetItemRequest) request).requestItems().entrySet().iterator().next();
        KeysAndAttributes keys = wanted.getValue();
        BatchGetItemResponse all = (BatchGetItemResponse) done.answer();
        var read =
            all.responses().getOrDefault(wanted.getKey(), List.of()).stream()
                .filter(one -> one.entrySet().containsAll(keys.keys().getFirst().entrySet()))
                .toList();
        KeysAndAttributes left =
            keys.toBuilder().keys(keys.keys().subList(1, keys.keys().size())).build();
        return BatchGetItemResponse.builder()
            .responses(Map.of(wanted.getKey(), read))
            .unprocessedKeys(Map.of(wanted.getKey(), left))
            .build();
      };

  /** Reads nothing. */
  private static final Fault READS_NONE =
      (request, done) ->
          BatchGetItemResponse.builder()
              .unprocessedKeys(((BatchGetItemRequest) request).requestItems())
              .build();

  private List<Key> written(int items) {
    List<Item> all =
        IntStream.range(0, items)
            .mapToObj(each -> Item.at(key("batch" + each)).with("n", each).build())
            .toList();
    all.forEach(one -> assertThat(meeting().write(Write.insert(one)).done()).isTrue());
    return all.stream().map(Item::key).toList();
  }

  @Test
  void unreadItemsOfABatchAreReadAfterPauses() {
    List<Key> keys = written(4);
    assertThat(meeting(READS_ONE, READS_NONE, READS_ONE).getAll(keys))
        .extracting(Item::key)
        .isEqualTo(keys);
    requirePauses(3);
  }

  @Test
  void aBatchThatIsNeverReadWholeIsUnavailable() {
    FaultyDynamo dynamo = FaultyDynamo.always(READS_NONE);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(dynamo).getAll(List.of(key("a"), key("b"))));
    assertThat(dynamo.requests()).hasSize(Attempts.MOST);
    requirePauses(Attempts.MOST - 1);
  }

  @Test
  void aTooLargeItemIsReportedByItsKeyOnly() {
    Item large = Item.at(key("large")).with("doc", SECRET.repeat(400 * 1024 / 20 + 1)).build();
    requireToldByKey(() -> meeting().write(Write.insert(large)), "large");
    requireToldByKey(
        () -> meeting().transact(List.of(Write.insert(item), Write.insert(large))), "large");
  }

  @Test
  void aTooLargeTransactionIsReportedByItsKeysOnly() {
    List<Write> large =
        IntStream.range(0, 15)
            .mapToObj(
                each -> Item.at(key("part" + each)).with("doc", SECRET.repeat(15_000)).build())
            .map(Write::insert)
            .toList();
    requireToldByKey(() -> meeting().transact(large), "part14");
  }

  @Test
  void valuesQuotedByDynamoAreNotReported() {
    RuntimeException quoting =
        DynamoDbException.builder()
            .awsErrorDetails(
                AwsErrorDetails.builder()
                    .errorCode("ValidationException")
                    .errorMessage(
                        "1 validation error detected: Value '[TransactWriteItem(put=Put(item={doc="
                            + SECRET
                            + "}))]' at 'transactItems' failed to satisfy constraint")
                    .build())
            .build();
    requireToldByKey(() -> meeting(Fault.instead(quoting)).write(Write.insert(item)), "r");
    requireToldByKey(() -> meeting(Fault.instead(quoting)).transact(writes), "r");
    RuntimeException cancelled =
        TransactionCanceledException.builder()
            .cancellationReasons(
                CancellationReason.builder().code("None").build(),
                CancellationReason.builder()
                    .code("ValidationError")
                    .message("Not a number: '" + SECRET + "'")
                    .build())
            .build();
    requireToldByKey(() -> meeting(Fault.instead(cancelled)).transact(writes), "q");
  }

  private void requireToldByKey(Runnable request, String range) {
    assertThatIllegalArgumentException()
        .isThrownBy(request::run)
        .withMessageContaining(key(range).toString())
        .satisfies(
            told -> {
              for (Throwable each = told; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain(SECRET);
              }
            });
  }
}
