package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store.Transacted;
import io.actiongovernance.store.Store.Written;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.regions.Region;

/** The store over the very client of a deployed function, and answers as they are on the wire. */
final class DynamoRetriesTest {
  private static final Item ITEM = Item.at(new Key(Table.STATE, "p", "r")).with("n", 1).build();

  /** What becomes of one attempt. */
  private sealed interface Attempt {
    /** There is no answer. */
    record Lost() implements Attempt {}

    record Answered(int status, String body) implements Attempt {}

    static Attempt error(int status, String code) {
      return new Answered(status, "{\"__type\":\"com.amazonaws.dynamodb#" + code + "\"}");
    }
  }

  private static final Attempt LOST = new Attempt.Lost();
  private static final Attempt DONE = new Attempt.Answered(200, "{}");
  private static final Attempt FAULT = Attempt.error(500, "InternalServerError");
  private static final Attempt REFUSED = Attempt.error(400, "ConditionalCheckFailedException");
  private static final Attempt THROTTLED = Attempt.error(400, "ThrottlingException");

  /** Answers each attempt as it is told to, and the rest as the last of them. Not thread-safe. */
  private static final class Wire implements SdkHttpClient {
    private final Deque<Attempt> attempts;
    private int made;

    Wire(Attempt... attempts) {
      this.attempts = new ArrayDeque<>(Arrays.asList(attempts));
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() throws IOException {
          made++;
          Attempt attempt = attempts.size() > 1 ? attempts.remove() : attempts.element();
          return switch (attempt) {
            case Attempt.Lost() -> throw new IOException("Lost, on purpose.");
            case Attempt.Answered(int status, String body) ->
                HttpExecuteResponse.builder()
                    .response(SdkHttpResponse.builder().statusCode(status).build())
                    .responseBody(
                        AbortableInputStream.create(
                            new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
                    .build();
          };
        }

        @Override
        public void abort() {}
      };
    }

    @Override
    public void close() {}
  }

  private static DynamoStore over(Wire wire) {
    AwsClients.Maker maker =
        new AwsClients.Maker(
            TimeLimits.ofRequests(),
            wire,
            builder ->
                builder
                    .region(Region.US_EAST_1)
                    .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b"))));
    return new DynamoStore(
        AwsClients.by(maker, maker).dynamo(), "test", new Pauses(pause -> {}, new Random(1)));
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
  void whatIsPutOffWasNotDone(String code) {
    Attempt putOff = Attempt.error(400, code);
    assertThat(write(putOff, putOff, REFUSED)).isInstanceOf(Written.Refused.class);
    assertThat(write(putOff, putOff, putOff, putOff, putOff, DONE).done()).isTrue();
  }

  @Test
  void whatIsNotAnsweredMayHaveBeenDone() {
    requireDoubt(LOST, REFUSED);
    requireDoubt(FAULT, REFUSED);
    requireDoubt(LOST, THROTTLED, REFUSED);
    requireDoubt(THROTTLED, FAULT, REFUSED);
    requireDoubt(FAULT, THROTTLED, THROTTLED, REFUSED);
    assertThat(write(LOST, FAULT, DONE).done()).isTrue();
  }

  @Test
  void attemptsAreCounted() {
    Wire silent = new Wire(LOST);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(silent).write(Write.insert(ITEM)));
    assertThat(silent.made).isEqualTo(TimeLimits.ATTEMPTS);
    Wire failing = new Wire(FAULT);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(failing).get(ITEM.key()));
    assertThat(failing.made).isEqualTo(TimeLimits.ATTEMPTS);
    Wire throttled = new Wire(THROTTLED);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(throttled).get(ITEM.key()));
    assertThat(throttled.made).isEqualTo(Attempts.MOST);
    Wire both = new Wire(LOST, LOST, THROTTLED, LOST, LOST, THROTTLED);
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(() -> over(both).write(Write.insert(ITEM)));
    assertThat(both.made).isEqualTo(Attempts.MOST);
  }

  @Test
  void aTransactionIsRepeatedUntilItIsKnownWhatCameOfIt() {
    Attempt inProgress = Attempt.error(400, "TransactionInProgressException");
    Attempt cancelled =
        new Attempt.Answered(
            400,
            """
            {"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
             "Message":"Transaction cancelled [ThrottlingError]",
             "CancellationReasons":[{"Code":"ThrottlingError","Message":"Too many"}]}
            """);
    Wire wire = new Wire(LOST, inProgress, inProgress, cancelled, DONE);
    assertThat(over(wire).transact(List.of(Write.insert(ITEM)))).isEqualTo(new Transacted.Done());
    assertThat(wire.made).isEqualTo(5);
  }
}
