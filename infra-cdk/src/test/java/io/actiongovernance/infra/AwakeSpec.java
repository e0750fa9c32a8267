package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static io.actiongovernance.infra.Synthesised.statements;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.StayAwake;
import io.actiongovernance.infra.Synthesised.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What must answer at its first call is ready, and everything else is called once a day. */
final class AwakeSpec {
  private static final String SCHEDULE = "AWS::Scheduler::Schedule";
  private static final String PROVISIONED =
      "/ProvisionedConcurrencyConfig/ProvisionedConcurrentExecutions";

  @Test
  void stoppingFunctionsAreProvisionedInProd() {
    for (String function : EmergencyStop.FUNCTIONS) {
      assertThat(alias(PROD, function).property(PROVISIONED).asInt()).as(function).isEqualTo(1);
    }
    assertThat(EmergencyStop.FUNCTIONS)
        .containsExactlyInAnyOrder("create-halt", "lift-halt", "veto-plan", "revoke-key");
    assertThat(PROD.all("AWS::Lambda::Alias"))
        .filteredOn(alias -> !alias.property(PROVISIONED).isMissingNode())
        .hasSameSizeAs(EmergencyStop.FUNCTIONS);
  }

  @Test
  void stagingHasNoProvisionedInstances() {
    assertThat(Synthesised.of(Environment.named("staging")).all("AWS::Lambda::Alias"))
        .allMatch(alias -> alias.property(PROVISIONED).isMissingNode());
  }

  private static Resource alias(Synthesised environment, String function) {
    return environment.one(
        "AWS::Lambda::Alias", "/FunctionName/Ref", environment.function(function).id());
  }

  @Test
  void everyOtherAliasGetsADailyWarmUpEvent() {
    List<String> kept =
        PROD.all(SCHEDULE).stream().map(schedule -> schedule.text("/Name")).toList();
    List<String> functions =
        PROD.all("AWS::Lambda::Function").stream()
            .map(function -> function.text("/FunctionName").replaceFirst("governance-prod-", ""))
            .filter(name -> !EmergencyStop.FUNCTIONS.contains(name))
            .filter(name -> !EmergencyStop.OF_PEOPLE.contains(name))
            // It is invoked each minute.
            .filter(name -> !name.equals("canary"))
            // It is invoked by deployments alone.
            .filter(name -> !name.equals("derive-keys"))
            .toList();
    assertThat(kept).containsExactlyInAnyOrderElementsOf(functions);
    assertThat(kept).hasSizeGreaterThan(Routes.all().size());
    assertThat(PROD.all(SCHEDULE))
        .allSatisfy(
            schedule -> {
              assertThat(flat(schedule.property("/Target/Arn")))
                  .endsWith(":function:governance-prod-" + schedule.text("/Name") + ":live");
              assertThat(schedule.text("/Target/Input")).isEqualTo(StayAwake.EVENT);
              assertThat(schedule.text("/ScheduleExpression")).startsWith("cron(");
            });
  }

  @Test
  void theWarmUpRoleInvokesAliasesButCannotMakeATenant() {
    Resource role =
        PROD.all("AWS::IAM::Role").stream()
            .filter(one -> one.id().equals("StayAwakeRole"))
            .findFirst()
            .orElseThrow();
    assertThat(PROD.all(SCHEDULE))
        .allMatch(
            schedule -> schedule.text("/Target/RoleArn/Fn::GetAtt/0").equals("StayAwakeRole"));
    List<JsonNode> statements = statements(role);
    assertThat(statements)
        .extracting(one -> one.path("Effect").asText() + " " + one.path("Action"))
        .containsExactly("Allow [\"lambda:InvokeFunction\"]", "Deny \"lambda:InvokeFunction\"");
    assertThat(flat(statements.getFirst().at("/Resource/0")))
        .endsWith(":function:governance-prod-*:live");
    assertThat(statements.get(1).path("Resource"))
        .map(arn -> flat(arn).replaceFirst(".*:function:", ""))
        .containsExactly(
            "governance-prod-create-tenant",
            "governance-prod-create-tenant:*",
            "governance-prod-recover-claims",
            "governance-prod-recover-claims:*");
  }
}
