package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Conditions;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Per;
import io.actiongovernance.policy.ReserveResult;
import io.actiongovernance.policy.ReserveResult.Exceeded;
import io.actiongovernance.policy.ReserveResult.Reserved;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Budgets on DynamoDB: its conditions, its numbers of 38 digits, its concurrency. */
class DynamoBudgetsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:44:07.412Z");

  private final Ids ids = new Ids(InstantSource.system(), new SecureRandom());
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  private final OperatorId operator = OperatorId.next(ids);
  private final ConnectorId connector = ConnectorId.next(ids);
  private final Budgets budgets = new Budgets(EmbeddedDynamo.store(), InstantSource.fixed(NOW));

  private static Guardrail limited(@Nullable Long maxActions, @Nullable String maxValue) {
    Limit limit =
        new Limit(
            Per.OPERATOR, 86_400, maxActions, maxValue == null ? null : new BigDecimal(maxValue));
    return new Guardrail(
        "g", Decision.ALLOW, 1, true, "pay.refund", null, Conditions.none(), List.of(limit));
  }

  private ReserveResult reserve(
      Guardrail guardrail, ActionId action, String value, @Nullable Limit tolerated) {
    Candidate candidate =
        new Candidate(
            connector,
            "pay.refund",
            2,
            Json.object(),
            new BigDecimal(value),
            new EntityKey("order:1042"));
    return budgets.reserve(
        partition,
        operator,
        action,
        guardrail,
        candidate,
        Optional.ofNullable(tolerated).stream().toList());
  }

  @Test
  void fiveHundredConcurrentActionsOfTenAgainstAThousandReserveExactlyAHundred()
      throws InterruptedException, ExecutionException {
    Guardrail guardrail = limited(null, "1000.00");
    List<Callable<ReserveResult>> attempts = new ArrayList<>();
    for (int at = 0; at < 500; at++) {
      ActionId action = ActionId.next(ids);
      attempts.add(() -> reserve(guardrail, action, "10.00", null));
    }
    int reserved = 0;
    try (var threads = Executors.newFixedThreadPool(16)) {
      for (Future<ReserveResult> attempt : threads.invokeAll(attempts)) {
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
    assertThat(reserve(guardrail, ActionId.next(ids), most, null)).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, ActionId.next(ids), least, null)).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, ActionId.next(ids), least, null)).isInstanceOf(Exceeded.class);
  }

  @Test
  void aToleratedLimitCountsAndWhatIsReleasedIsFreeAgain() {
    Guardrail guardrail = limited(1L, null);
    Limit limit = guardrail.limits().getFirst();
    ActionId first = ActionId.next(ids);
    ReserveResult reserved = reserve(guardrail, first, "1", limit);
    assertThat(reserve(guardrail, first, "1", null)).isEqualTo(reserved);
    assertThat(reserve(guardrail, ActionId.next(ids), "1", null)).isEqualTo(new Exceeded(limit));
    budgets.settle(first, ((Reserved) reserved).reservations(), false);
    assertThat(reserve(guardrail, ActionId.next(ids), "1", null)).isInstanceOf(Reserved.class);
  }
}
