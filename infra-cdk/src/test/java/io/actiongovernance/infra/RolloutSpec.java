package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static io.actiongovernance.infra.Synthesised.statements;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.infra.Synthesised.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another version of what is governed through is taken up little by little, and watched. */
final class RolloutSpec {
  private static final String GROUP = "AWS::CodeDeploy::DeploymentGroup";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ingest-event",
        "send-mcp-message",
        "approve-plan",
        "propose",
        "execute-action",
        "relay-state",
        "relay-outcomes"
      })
  void codeDeployMovesTheAliasAndWatchesAnAlarm(String function) {
    Resource group = PROD.one(GROUP, "/DeploymentGroupName", function);
    assertThat(group.text("/DeploymentConfigName"))
        .isEqualTo("CodeDeployDefault.LambdaCanary10Percent5Minutes");
    assertThat(flat(group.property("/ServiceRoleArn"))).contains(":role/governance-prod-rollout-");
    assertThat(group.property("/AutoRollbackConfiguration/Events").toString())
        .contains("DEPLOYMENT_STOP_ON_ALARM");
    Resource alias =
        PROD.one("AWS::Lambda::Alias", "/FunctionName/Ref", PROD.function(function).id());
    JsonNode policy = alias.body().at("/UpdatePolicy/CodeDeployLambdaAliasUpdate");
    assertThat(policy.path("ApplicationName").asText()).isEqualTo("governance-prod");
    assertThat(policy.at("/DeploymentGroupName/Ref").asText()).isEqualTo(group.id());
    String watched = group.text("/AlarmConfiguration/Alarms/0/Name/Ref");
    Resource alarm =
        PROD.one("AWS::CloudWatch::Alarm", "/AlarmName", "governance-prod-rollout-" + function);
    assertThat(alarm.id()).isEqualTo(watched);
  }

  /** A fault that is answered, or whose message comes again, is no error of its function's. */
  @Test
  void loggedErrorsRaiseTheRolloutAlarm() {
    List<Resource> filters = PROD.all("AWS::Logs::MetricFilter");
    assertThat(filters)
        .hasSize(7)
        .allMatch(filter -> filter.text("/FilterPattern").equals("{ $.level = \"ERROR\" }"));
    Resource alarm =
        PROD.one("AWS::CloudWatch::Alarm", "/AlarmName", "governance-prod-rollout-execute-action");
    assertThat(alarm.property("/Metrics").toString())
        .contains("Faults-governance-prod-execute-action", "Errors", "Invocations");
    // A version that always fails is a tenth of all at first.
    assertThat(alarm.property("/Threshold").asInt()).isLessThan(10);
  }

  @Test
  void theRolloutRoleMovesOnlyAliasesOfTheseFunctions() {
    Resource role =
        PROD.all("AWS::IAM::Role").stream()
            .filter(one -> one.id().equals("RolloutRole"))
            .findFirst()
            .orElseThrow();
    JsonNode moves =
        statements(role).stream()
            .filter(one -> one.path("Sid").asText().equals("MoveAliases"))
            .findFirst()
            .orElseThrow();
    assertThat(moves.path("Resource"))
        .map(arn -> flat(arn).replaceFirst(".*:function:governance-prod-", ""))
        .containsExactly(
            "approve-plan",
            "approve-plan:*",
            "execute-action",
            "execute-action:*",
            "ingest-event",
            "ingest-event:*",
            "propose",
            "propose:*",
            "relay-outcomes",
            "relay-outcomes:*",
            "relay-state",
            "relay-state:*",
            "send-mcp-message",
            "send-mcp-message:*");
  }

  @Test
  void stagingTakesUpANewVersionAtOnce() {
    Synthesised staging = Synthesised.of(Environment.named("staging"));
    assertThat(staging.all(GROUP)).isEmpty();
    assertThat(staging.all("AWS::Lambda::Alias"))
        .noneMatch(alias -> alias.body().has("UpdatePolicy"));
    assertThat(staging.templates()).doesNotContainKey("canary");
  }

  @Test
  void theCanaryRunsEachMinuteAndMayReadOnlyItsKey() {
    JsonNode canary = requireNonNull(PROD.templates().get("canary")).path("Resources");
    assertThat(canary.at("/EachMinute/Properties/ScheduleExpression").asText())
        .isEqualTo("rate(1 minute)");
    Resource role =
        PROD.all("AWS::IAM::Role").stream()
            .filter(one -> one.id().equals("CanaryRole"))
            .findFirst()
            .orElseThrow();
    assertThat(statements(role))
        .extracting(statement -> statement.path("Sid").asText())
        .containsExactly("OwnLogs", "ReadItsKey", "Trace");
    JsonNode variables = PROD.function("canary").property("/Environment/Variables");
    assertThat(variables.at("/GOVERNANCE_CANARY_KEY_SECRET/Ref").asText()).isEqualTo("CanaryKey");
    assertThat(variables.path("GOVERNANCE_MASTER_KEY").asText()).isEqualTo("none");
  }
}
