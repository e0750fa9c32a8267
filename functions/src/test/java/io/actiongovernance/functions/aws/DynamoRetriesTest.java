package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.functions.aws.Wire.Attempt;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store.Transacted;
import io.actiongovernance.store.Store.Written;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store over the very client of a deployed function, and answers as they are on the wire. */
final class DynamoRetriesTest {
  private static final Item ITEM = Item.at(new Key(Table.STATE, "p", "r")).with("n", 1).build();

  private static final Attempt DONE = new Attempt.Answered(200, "{}");
  private static final Attempt FAULT = Attempt.error(500, "InternalServerError");
  private static final Attempt REFUSED = Attempt.error(400, "ConditionalCheckFailedException");
  private static final Attempt THROTTLED = Attempt.error(400, "ThrottlingException");

  private static DynamoStore over(Wire wire) {
    return new DynamoStore(
        wire.clients().dynamo(), TableNames.of("test"), new Pauses(pause -> {}, new Random(1)));
  }

  private static Written write(Attempt... attempts) {
    return over(new Wire(attempts)).write(Write.insert(ITEM));
  }

  private static void requireDoubt(Attempt... attempts) {
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> write(attempts));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "TransactionConflictException"
      })
  void aThrottledWriteWasNotDone(String code) {
    Attempt putOff = Attempt.error(400, code);
    assertThat(write(putOff, putOff, REFUSED)).isInstanceOf(Written.Refused.class);
    assertThat(write(putOff, putOff, putOff, putOff, putOff, DONE).done()).isTrue();
  }

  @Test
  void anUnansweredWriteMayHaveBeenDone() {
    requireDoubt(Attempt.LOST, REFUSED);
    requireDoubt(FAULT, REFUSED);
    requireDoubt(Attempt.LOST, THROTTLED, REFUSED);
    requireDoubt(THROTTLED, FAULT, REFUSED);
    requireDoubt(FAULT, THROTTLED, THROTTLED, REFUSED);
    assertThat(write(Attempt.LOST, FAULT, DONE).done()).isTrue();
  }

  @Test
  void theNumberOfAttemptsIsBounded() {
    Wire silent = new Wire(Attempt.LOST);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(silent).write(Write.insert(ITEM)));
    assertThat(silent.made()).isEqualTo(TimeLimits.ATTEMPTS);
    Wire failing = new Wire(FAULT);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(failing).get(ITEM.key()));
    assertThat(failing.made()).isEqualTo(TimeLimits.ATTEMPTS);
    Wire throttled = new Wire(THROTTLED);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(throttled).get(ITEM.key()));
    assertThat(throttled.made()).isEqualTo(Attempts.MOST);
    Wire both =
        new Wire(Attempt.LOST, Attempt.LOST, THROTTLED, Attempt.LOST, Attempt.LOST, THROTTLED);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(both).write(Write.insert(ITEM)));
    assertThat(both.made()).isEqualTo(Attempts.MOST);
  }

  @Test
  void aTransactionIsRepeatedUntilItsOutcomeIsKnown() {
    Attempt inProgress = Attempt.error(400, "TransactionInProgressException");
    Attempt cancelled =
        new Attempt.Answered(
            400,
            """
            {"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
             "Message":"Transaction cancelled [ThrottlingError]",
             "CancellationReasons":[{"Code":"ThrottlingError","Message":"Too many"}]}
            """);
    Wire wire = new Wire(Attempt.LOST, inProgress, inProgress, cancelled, DONE);
    assertThat(over(wire).transact(List.of(Write.insert(ITEM)))).isEqualTo(new Transacted.Done());
    assertThat(wire.made()).isEqualTo(5);
  }
}
