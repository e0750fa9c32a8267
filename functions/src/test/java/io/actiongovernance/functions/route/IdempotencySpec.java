package io.actiongovernance.functions.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.aws.EmbeddedDynamo;
import io.actiongovernance.functions.aws.IdempotencyRecords;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.route.Encoder.Encoded;
import io.actiongovernance.functions.route.Idempotency.Ran;
import io.actiongovernance.id.Ids;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.StoreUnavailable;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Idempotency-Key (contract, section 1), on embedded DynamoDB. */
final class IdempotencySpec {
  private static final Partition PARTITION = Partition.parse("t_1#live");

  private final String scope = UUID.randomUUID().toString();
  private final List<String> runs = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-20T21:44:07Z");

  /** What happens while a request waits, beside time passing. */
  private Runnable meanwhile = () -> {};

  private final Idempotency idempotency =
      new Idempotency(
          new IdempotencyRecords(EmbeddedDynamo.client(), EmbeddedDynamo.NAMES),
          new Sealer(List.of(new byte[32]), new SecureRandom()),
          new Ids(() -> now, new SecureRandom()),
          () -> now,
          time -> {
            now = now.plus(time);
            meanwhile.run();
          });

  private static Encoded encoded(int status, String body) {
    return new Encoded(status, Map.of("Content-Type", "application/json"), body);
  }

  private Function<String, Ran> answering(Reply reply) {
    return mintedId -> {
      runs.add(mintedId);
      return new Ran(reply, encoded(reply.status(), "{\"run\":" + runs.size() + "}"));
    };
  }

  private Encoded once(Reply reply) {
    return idempotency.once(PARTITION, scope, "f1", answering(reply));
  }

  private static Reply failure(ErrorCode code) {
    return Reply.error(code, "So it is.");
  }

  private ErrorCode refused(Runnable request) {
    return catchThrowableOfType(ApiException.class, request::run).error().code();
  }

  @Test
  void aReplayOfASuccessIsA200WithTheSameBytes() {
    Encoded first = once(Reply.created(Map.of()));
    Encoded again = once(Reply.created(Map.of()));
    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.headers()).containsEntry("Idempotent-Replayed", "true");
    assertThat(runs).hasSize(1);
  }

  @Test
  void aPolicyBlockIsReplayedAs422() {
    once(failure(ErrorCode.POLICY_BLOCKED));
    assertThat(once(failure(ErrorCode.POLICY_BLOCKED)).status()).isEqualTo(422);
    assertThat(runs).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = "POLICY_BLOCKED", mode = EnumSource.Mode.EXCLUDE)
  void everyOtherErrorReleasesTheKey(ErrorCode code) {
    assertThat(once(failure(code)).status()).isEqualTo(code.status());
    assertThat(idempotency.once(PARTITION, scope, "f2", answering(Reply.ok(Map.of()))).status())
        .isEqualTo(200);
    assertThat(runs).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void anotherBodyUnderTheKeyIsAConflict() {
    once(Reply.ok(Map.of()));
    assertThat(
            refused(() -> idempotency.once(PARTITION, scope, "f2", answering(Reply.ok(Map.of())))))
        .isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
    assertThat(runs).hasSize(1);
  }

  @Test
  void anotherBodyIsAConflictWhileTheFirstIsInFlight() {
    idempotency.once(
        PARTITION,
        scope,
        "f1",
        id -> {
          assertThat(
                  refused(
                      () ->
                          idempotency.once(PARTITION, scope, "f2", answering(Reply.ok(Map.of())))))
              .isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
          return answering(Reply.ok(Map.of())).apply(id);
        });
    assertThat(runs).hasSize(1);
  }

  @Test
  void aSecondRequestWaitsFiveSecondsForTheFirstAndIsRefused() {
    idempotency.once(
        PARTITION,
        scope,
        "f1",
        id -> {
          Instant before = now;
          ApiException refusal =
              catchThrowableOfType(ApiException.class, () -> once(Reply.ok(Map.of())));
          assertThat(refusal.error().code()).isEqualTo(ErrorCode.IDEMPOTENCY_IN_PROGRESS);
          assertThat(refusal.error().retryAfter()).isNotNull();
          assertThat(Duration.between(before, now)).isEqualTo(Duration.ofSeconds(5));
          return answering(Reply.ok(Map.of())).apply(id);
        });
    assertThat(runs).hasSize(1);
  }

  @Test
  void aWaitingRequestGetsTheFirstOnesAnswer() {
    IdempotencyRecords records =
        new IdempotencyRecords(EmbeddedDynamo.client(), EmbeddedDynamo.NAMES);
    IdempotencyRecords.Entry first =
        new IdempotencyRecords.Entry("f1", "first", now.plusSeconds(40).toEpochMilli(), null);
    assertThat(records.begin(scope, first, now)).isTrue();
    meanwhile =
        () ->
            records.complete(
                scope,
                new IdempotencyRecords.Entry(
                    "f1",
                    "first",
                    first.leaseUntil(),
                    StoredAnswer.seal(
                        new Sealer(List.of(new byte[32]), new SecureRandom())
                            .sealing(PARTITION, Sealer.Purpose.ANSWER),
                        scope,
                        encoded(201, "{}"))),
                now);
    assertThat(once(Reply.ok(Map.of())).text()).isEqualTo("{}");
    assertThat(runs).isEmpty();
  }

  @Test
  void aRepeatOfAFailedRequestKeepsItsIdentifier() {
    for (RuntimeException fault :
        List.of(new StoreUnavailable("Away.", null), new IllegalStateException("A fault."))) {
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(
              () ->
                  idempotency.once(
                      PARTITION,
                      scope,
                      "f1",
                      id -> {
                        runs.add(id);
                        throw fault;
                      }));
    }
    once(Reply.created(Map.of()));
    assertThat(runs).hasSize(3);
    assertThat(runs.stream().distinct()).hasSize(1);
  }

  @Test
  void aDeadRequestIsTakenOverAfterItsLease() {
    IdempotencyRecords records =
        new IdempotencyRecords(EmbeddedDynamo.client(), EmbeddedDynamo.NAMES);
    long leaseUntil = now.plus(Idempotency.LEASE).toEpochMilli();
    records.begin(scope, new IdempotencyRecords.Entry("f1", "minted", leaseUntil, null), now);
    assertThat(refused(() -> once(Reply.ok(Map.of()))))
        .isEqualTo(ErrorCode.IDEMPOTENCY_IN_PROGRESS);
    now = now.plus(Idempotency.LEASE);
    assertThat(
            refused(() -> idempotency.once(PARTITION, scope, "f2", answering(Reply.ok(Map.of())))))
        .isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
    once(Reply.created(Map.of()));
    assertThat(runs).containsExactly("minted");
    assertThat(once(Reply.created(Map.of())).headers()).containsKey("Idempotent-Replayed");
  }

  @Test
  void theFirstToTakeOverAKeyHasIt() {
    IdempotencyRecords records =
        new IdempotencyRecords(EmbeddedDynamo.client(), EmbeddedDynamo.NAMES);
    IdempotencyRecords.Entry dead = new IdempotencyRecords.Entry("f1", "minted", 1, null);
    records.begin(scope, dead, now);
    assertThat(records.takeOver(scope, dead, new IdempotencyRecords.Entry("f1", "minted", 2, null)))
        .isTrue();
    assertThat(records.takeOver(scope, dead, new IdempotencyRecords.Entry("f1", "minted", 3, null)))
        .isFalse();
  }

  @Test
  void unfinishedWorkKeepsItsKeyAndIsAnsweredLater() {
    Reply pending = Reply.refused(new Refusal.Unfinished());
    assertThat(once(pending).status()).isEqualTo(503);
    assertThat(
            refused(() -> idempotency.once(PARTITION, scope, "f2", answering(Reply.ok(Map.of())))))
        .isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
    assertThat(once(Reply.ok(Map.of())).status()).isEqualTo(200);
    assertThat(runs).hasSize(2);
    assertThat(runs.stream().distinct()).hasSize(1);
    assertThat(once(Reply.ok(Map.of())).headers()).containsKey("Idempotent-Replayed");
  }

  @Test
  void anAnswerIsKeptFor24Hours() {
    once(Reply.ok(Map.of()));
    now = now.plus(Duration.ofHours(24).minusSeconds(1));
    once(Reply.ok(Map.of()));
    assertThat(runs).hasSize(1);
    now = now.plusSeconds(2);
    once(Reply.ok(Map.of()));
    assertThat(runs).hasSize(2);
  }

  @Test
  void aKeptAnswerIsSealed() {
    idempotency.once(
        PARTITION,
        scope,
        "f1",
        _ -> new Ran(Reply.ok(Map.of()), encoded(201, "{\"secret\":\"sk_live_abc\"}")));
    Map<String, AttributeValue> stored =
        EmbeddedDynamo.client()
            .getItem(
                get ->
                    get.tableName(EmbeddedDynamo.PREFIX + "-idempotency")
                        .key(Map.of("id", AttributeValue.fromS(scope))))
            .item();
    assertThat(stored).isNotEmpty();
    assertThat(stored.toString()).doesNotContain("sk_live");
  }

  @Test
  void aRequestWithATooLargeAnswerRunsAgainUnderItsIdentifier() {
    byte[] noise = new byte[600_000];
    new SecureRandom().nextBytes(noise);
    String large = java.util.Base64.getEncoder().encodeToString(noise);
    for (int count = 0; count < 2; count++) {
      idempotency.once(
          PARTITION,
          scope,
          "f1",
          id -> {
            runs.add(id);
            return new Ran(Reply.ok(Map.of()), encoded(200, large));
          });
    }
    assertThat(runs.stream().distinct()).hasSize(1);
    assertThat(runs).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "ü", "a\tb", "a\u0000"})
  void aKeyIsPrintableAscii(String header) {
    assertThatExceptionOfType(Problem.class).isThrownBy(() -> Idempotency.key(header));
  }

  @Test
  void aKeyHas1To255CharactersWithoutItsQuotes() {
    assertThat(Idempotency.key("\"" + "k".repeat(255) + "\"")).contains("k".repeat(255));
    assertThatExceptionOfType(Problem.class).isThrownBy(() -> Idempotency.key("k".repeat(256)));
    assertThat(Idempotency.key("\"")).contains("\"");
    assertThat(Idempotency.key(null)).isEmpty();
  }
}
