package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Conditions;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Per;
import io.actiongovernance.policy.ReservedLimits;
import io.actiongovernance.policy.ReservedLimits.Result;
import io.actiongovernance.policy.ReservedLimits.Result.Exceeded;
import io.actiongovernance.policy.ReservedLimits.Result.Reserved;
import io.actiongovernance.store.StoreUnavailable;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Budgets on DynamoDB: its conditions, its numbers of 38 digits, its concurrency. */
class DynamoBudgetsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:44:07.412Z");

  private final Ids ids = new Ids(InstantSource.system(), new SecureRandom());
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  private final ConnectorId connector = ConnectorId.next(ids);
  private final ReservedLimits limits = limits(1);

  private ReservedLimits limits(int spread) {
    return new ReservedLimits(EmbeddedDynamo.store(), partition, spread, InstantSource.fixed(NOW));
  }

  private static Guardrail limited(@Nullable Long maxActions, @Nullable String maxValue) {
    Limit limit =
        new Limit(
            Per.OPERATOR, 86_400, maxActions, maxValue == null ? null : new BigDecimal(maxValue));
    return new Guardrail(
        "g", Decision.ALLOW, 1, true, "pay.refund", null, Conditions.none(), List.of(limit));
  }

  private Result reserve(Guardrail guardrail, String value, Limit... tolerated) {
    return reserve(limits, guardrail, value, tolerated);
  }

  private Result reserve(
      ReservedLimits from, Guardrail guardrail, String value, Limit... tolerated) {
    Candidate candidate =
        new Candidate(
            connector,
            "pay.refund",
            2,
            Json.object(),
            new BigDecimal(value),
            new EntityKey("order:1042"),
            Instant.EPOCH);
    return from.reserve(guardrail, candidate, List.of(tolerated));
  }

  /** As an action is, whose message comes again as long as there is contention. */
  private Result reserveAtLast(ReservedLimits from, Guardrail guardrail) {
    while (true) {
      try {
        return reserve(from, guardrail, "10.00");
      } catch (StoreUnavailable e) {
        assertThat(e).hasMessageContaining("contention");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 32})
  void concurrentActionsReserveExactlyTheLimitedValue(int spread)
      throws InterruptedException, ExecutionException {
    Guardrail guardrail = limited(null, "1000.00");
    List<Callable<Result>> attempts = new ArrayList<>();
    for (int at = 0; at < 500; at++) {
      attempts.add(() -> reserveAtLast(limits(spread), guardrail));
    }
    int reserved = 0;
    try (var threads = Executors.newFixedThreadPool(16)) {
      for (Future<Result> attempt : threads.invokeAll(attempts)) {
        reserved += attempt.get() instanceof Reserved ? 1 : 0;
      }
    }
    assertThat(reserved).isEqualTo(100);
  }

  @Test
  void sumsAreExactToThe38thDigit() {
    Guardrail guardrail = limited(null, "99999999999999999999.999999999999999999");
    String most = "99999999999999999999.999999999999999998";
    String least = "0.000000000000000001";
    assertThat(reserve(guardrail, most)).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, least)).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, least)).isInstanceOf(Exceeded.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void aToleratedActionCountsAndItsReturnFreesOnlyItsOwnShare(int spread) {
    ReservedLimits spreadLimits = limits(spread);
    Guardrail guardrail = limited(1L, null);
    Limit limit = guardrail.limits().getFirst();
    assertThat(reserve(spreadLimits, guardrail, "1", limit)).isInstanceOf(Reserved.class);
    Result excess = reserve(spreadLimits, guardrail, "1", limit);
    assertThat(reserve(spreadLimits, guardrail, "1")).isEqualTo(new Exceeded());
    spreadLimits.giveBack(((Reserved) excess).reservations());
    assertThat(reserve(spreadLimits, guardrail, "1")).isEqualTo(new Exceeded());
  }
}
