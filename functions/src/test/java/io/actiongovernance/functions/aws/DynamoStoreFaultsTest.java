package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store.Transacted;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/** What DynamoDB Local never raises, raised here as DynamoDB words it. */
final class DynamoStoreFaultsTest {
  private static final Item ITEM = Item.at(new Key(Table.STATE, "p", "r")).with("n", 1).build();
  private static final List<Write> WRITES =
      List.of(Write.insert(ITEM), Write.check(new Key(Table.STATE, "p", "q"), Condition.absent()));

  /** A DynamoDB that answers every write with one exception. */
  private record Failing(RuntimeException fault) implements DynamoDbClient {
    @Override
    public PutItemResponse putItem(PutItemRequest request) {
      throw fault;
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
      throw fault;
    }

    @Override
    public String serviceName() {
      return "dynamodb";
    }

    @Override
    public void close() {}
  }

  private static DynamoStore failing(RuntimeException fault) {
    return new DynamoStore(new Failing(fault), "test");
  }

  private static TransactionCanceledException cancelled(String... codes) {
    return TransactionCanceledException.builder()
        .cancellationReasons(
            Arrays.stream(codes)
                .map(code -> CancellationReason.builder().code(code).build())
                .toList())
        .build();
  }

  @Test
  void aConflictWithAnotherTransactionIsContention() {
    assertThat(failing(cancelled("None", "TransactionConflict")).transact(WRITES))
        .isEqualTo(new Transacted.Contended());
    assertThat(failing(TransactionInProgressException.builder().build()).transact(WRITES))
        .isEqualTo(new Transacted.Contended());
  }

  @Test
  void aRefusalBesideAConflictIsARefusal() {
    Transacted transacted =
        failing(cancelled("TransactionConflict", "ConditionalCheckFailed")).transact(WRITES);
    assertThat(transacted).isInstanceOf(Transacted.Refused.class);
    assertThat(((Transacted.Refused) transacted).of(1)).isPresent();
    assertThat(((Transacted.Refused) transacted).of(0)).isEmpty();
  }

  @Test
  void aThrottledTransactionIsUnavailable() {
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> failing(cancelled("ThrottlingError", "None")).transact(WRITES));
  }

  @Test
  void noAnswerIsUnavailable() {
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> failing(SdkClientException.create("timeout")).write(Write.insert(ITEM)));
  }

  @Test
  void aRepeatedWriteThatIsRefusedMayHaveHappened() {
    ConditionalCheckFailedException once =
        ConditionalCheckFailedException.builder().numAttempts(1).build();
    assertThat(failing(once).write(Write.insert(ITEM)).done()).isFalse();
    ConditionalCheckFailedException twice =
        ConditionalCheckFailedException.builder().numAttempts(2).build();
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> failing(twice).write(Write.insert(ITEM)));
  }

  @Test
  void aMalformedRequestIsAFaultOfOurs() {
    RuntimeException malformed =
        DynamoDbException.builder()
            .awsErrorDetails(AwsErrorDetails.builder().errorCode("ValidationException").build())
            .build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> failing(malformed).write(Write.insert(ITEM)));
  }
}
