package io.actiongovernance.functions.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.store.Key;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CreateTenantFunctionTest {
  private final TestApi api = new TestApi();

  @Test
  void aTenantGetsItsGivenValuesAndDefaultsForTheRest() {
    TestTenant made =
        api.tenant(
            Map.of(
                "name",
                "Acme",
                "reseller_id",
                "rs_1",
                "included_actions",
                5,
                "hard_cap",
                7,
                "limits",
                Map.of("plans.write", 600, "global.read", 60_000)));
    Tenant tenant = api.wiring().tenants().find(new TenantId(made.id())).orElseThrow();
    assertThat(tenant.name()).isEqualTo("Acme");
    assertThat(tenant.resellerId()).isEqualTo("rs_1");
    assertThat(tenant.limits().perMinute())
        .containsEntry("plans.write", 600)
        .containsEntry("global.read", 60_000)
        .containsEntry("plans.read", 1000)
        .containsEntry("ingest.write", 600)
        .containsEntry("propose.write", 600)
        .containsEntry("mcp.write", 600)
        .containsEntry("mcp.read", 1000)
        .containsEntry("trial.write", 120)
        .hasSize(21);
    for (Mode mode : Mode.values()) {
      Key terms = Allowance.termsKey(new Partition(tenant.id(), mode));
      assertThat(Allowance.terms(api.wiring().store().get(terms)))
          .isEqualTo(new Allowance.Terms(5, 7L));
    }
    assertThat(made.live()).startsWith("sk_live_");
    assertThat(made.test()).startsWith("sk_test_");
  }

  @Test
  void theProposeLimitIsThatOfPlanWritesUnlessGiven() {
    assertThat(TenantLimits.defaultsWith(Map.of()).perMinute()).containsEntry("propose.write", 120);
    assertThat(TenantLimits.defaultsWith(Map.of("plans.write", 7, "propose.write", 9)).perMinute())
        .containsEntry("plans.write", 7)
        .containsEntry("propose.write", 9);
  }

  @Test
  void theTrialLimitIsThatOfOperatorWritesUnlessGiven() {
    assertThat(TenantLimits.defaultsWith(Map.of("operators.write", 7)).perMinute())
        .containsEntry("trial.write", 7);
    assertThat(
            TenantLimits.defaultsWith(Map.of("operators.write", 7, "trial.write", 9)).perMinute())
        .containsEntry("operators.write", 7)
        .containsEntry("trial.write", 9);
  }

  @Test
  void aSpreadIsRaisedInBothModesAndARepeatChangesNothing() {
    TestTenant made = api.tenant(Map.of("name", "Acme", "spread", 2));
    CreateTenantFunction function = new CreateTenantFunction(api.wiring());
    Map<String, Object> raise = Map.of("tenant_id", made.id(), "spread", 8);
    Map<String, Object> raised = function.handleRequest(raise, null);
    assertThat(raised).containsEntry("tenant_id", made.id()).containsEntry("spread", 8);
    assertThat(function.handleRequest(raise, null)).isEqualTo(raised);
    for (Mode mode : Mode.values()) {
      Spread spread =
          Allowance.spread(api.wiring().store(), new Partition(new TenantId(made.id()), mode));
      assertThat(spread.before()).isEqualTo(2);
      assertThat(spread.shards()).isEqualTo(8);
      assertThat(spread.since()).hasToString((String) raised.get("since"));
    }
    for (int shards : new int[] {4, 12, 16}) {
      assertThatExceptionOfType(Problem.class)
          .as("lowered, not a power of two, or twice a day")
          .isThrownBy(
              () -> function.handleRequest(Map.of("tenant_id", made.id(), "spread", shards), null));
    }
  }

  @Test
  void badInputMakesNothing() {
    for (Map<String, Object> input :
        java.util.List.<Map<String, Object>>of(
            Map.of(),
            Map.of("name", "Acme", "limits", Map.of("nothing.read", 1)),
            Map.of("name", "Acme", "limits", Map.of("safety.write", 1)),
            Map.of("name", "Acme", "limits", Map.of("plans.read", 0)),
            Map.of("name", "Acme", "hard_cap", -1),
            Map.of("name", "Acme", "spread", 3),
            Map.of("name", "Acme", "spread", 64),
            Map.of("tenant_id", "t_nobody", "spread", 2),
            Map.of("tenant_id", "t_nobody"),
            Map.of("name", "Acme", "surprise", 1))) {
      assertThatExceptionOfType(Problem.class).isThrownBy(() -> api.tenant(input));
    }
  }
}
