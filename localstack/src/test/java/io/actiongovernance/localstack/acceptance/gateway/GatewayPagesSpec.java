package io.actiongovernance.localstack.acceptance.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import org.junit.jupiter.api.Test;

/**
 * Calls that a person has to approve, for clients that open pages for their person (contract for
 * agents, section 4).
 */
@Acceptance
final class GatewayPagesSpec {
  private static final String REFUND = "pay_refund_create";
  private static final String PAGES = "{\"elicitation\":{\"url\":{}}}";

  private static Gateway gateway(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    return new Gateway(given.apiOfRole("agent"), operator.id(), PAGES);
  }

  private static ObjectNode refund(String charge) {
    return Gateway.called(REFUND, Json.object().put("charge", charge));
  }

  private static JsonNode asked(Gateway gateway, String charge) {
    JsonNode result = gateway.result("tools/call", refund(charge));
    assertThat(result.path("resultType").asText()).as("%s", result).isEqualTo("input_required");
    return result;
  }

  private static String plan(JsonNode asked) {
    return asked.at("/inputRequests/approval/params/elicitationId").asText();
  }

  private static ObjectNode answering(ObjectNode params, JsonNode asked, String action) {
    ObjectNode again = params.deepCopy();
    again.set("requestState", asked.path("requestState"));
    again.putObject("inputResponses").putObject("approval").put("action", action);
    return again;
  }

  private static void isRefused(Gateway gateway, ObjectNode params) {
    Answer answer = gateway.send(gateway.modern("tools/call", params));
    assertThat(answer.is(200).at("/error/code").asInt()).as(answer.text()).isEqualTo(-32602);
  }

  @Test
  void theRequestNamesThePlansPageWithoutAnySecret(Given given) {
    Gateway gateway = gateway(given);
    JsonNode params = asked(gateway, "1").at("/inputRequests/approval/params");
    assertThat(params.path("mode").asText()).isEqualTo("url");
    assertThat(params.path("message").asText()).contains("Refund", "charge 1");
    String plan = params.path("elicitationId").asText();
    assertThat(params.path("url").asText())
        .isEqualTo(gateway.api().baseUrl() + "/console?plan=" + plan);
    JsonNode now = given.api().get("/v1/plans/" + plan).is(200);
    assertThat(now.path("waiting_on").asText()).isEqualTo("approval");
  }

  @Test
  void aPlanApprovedMeanwhileIsAnsweredOnTheNextCall(Given given) {
    Gateway gateway = gateway(given);
    JsonNode asked = asked(gateway, "2");
    var again =
        Together.start(() -> gateway.result("tools/call", answering(refund("2"), asked, "accept")));
    given.api().postPatiently("/v1/plans/" + plan(asked) + "/approve", Json.object()).is(200);
    JsonNode result = again.result();
    assertThat(result.path("resultType").asText()).isEqualTo("complete");
    assertThat(result.path("isError").asBoolean()).isFalse();
    assertThat(Gateway.planId(result)).isEqualTo(plan(asked));
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void acceptingDecidesNothing(Given given) {
    Gateway gateway = gateway(given);
    JsonNode asked = asked(gateway, "3");
    JsonNode result = gateway.result("tools/call", answering(refund("3"), asked, "accept"));
    assertThat(Gateway.status(result)).isEqualTo("held");
    assertThat(Gateway.text(result)).contains(plan(asked));
    assertThat(given.upstream().effects()).isEmpty();
  }

  @Test
  void decliningWithdrawsAndCancellingLeavesItHeld(Given given) {
    Gateway gateway = gateway(given);
    JsonNode left = asked(gateway, "4");
    JsonNode held = gateway.result("tools/call", answering(refund("4"), left, "cancel"));
    assertThat(Gateway.status(held)).isEqualTo("held");
    JsonNode asked = asked(gateway, "5");
    JsonNode result = gateway.result("tools/call", answering(refund("5"), asked, "decline"));
    assertThat(Gateway.status(result)).isEqualTo("vetoed");
    JsonNode now = given.api().get("/v1/plans/" + plan(asked)).is(200);
    assertThat(now.path("status").asText()).isEqualTo("vetoed");
    assertThat(now.path("withdrawn").asBoolean()).isTrue();
    JsonNode still = given.api().get("/v1/plans/" + plan(left)).is(200);
    assertThat(still.path("status").asText()).isEqualTo("proposed");
  }

  @Test
  void anUnansweredRequestIsAskedAgain(Given given) {
    Gateway gateway = gateway(given);
    JsonNode asked = asked(gateway, "6");
    ObjectNode params = refund("6");
    params.set("requestState", asked.path("requestState"));
    JsonNode again = gateway.result("tools/call", params);
    assertThat(again.path("resultType").asText()).isEqualTo("input_required");
    assertThat(plan(again)).isEqualTo(plan(asked));
  }

  @Test
  void aStateIsBoundToItsCallerToolAndArguments(Given given) {
    Gateway gateway = gateway(given);
    JsonNode asked = asked(gateway, "7");
    isRefused(gateway, answering(refund("8"), asked, "decline"));
    isRefused(
        gateway,
        answering(
            Gateway.called("governance_plan", Json.object().put("plan_id", plan(asked))),
            asked,
            "decline"));
    isRefused(gateway.as(given.apiOfRole("agent")), answering(refund("7"), asked, "decline"));
    Gateway elsewhere = gateway(given).as(gateway.api());
    isRefused(elsewhere, answering(refund("7"), asked, "decline"));
    ObjectNode forged = answering(refund("7"), asked, "decline");
    forged.put("requestState", asked.path("requestState").asText() + "A");
    isRefused(gateway, forged);
    JsonNode now = given.api().get("/v1/plans/" + plan(asked)).is(200);
    assertThat(now.path("status").asText()).isEqualTo("proposed");
  }

  @Test
  void onlyClientsThatOpenPagesGetAPage(Given given) {
    Gateway gateway = gateway(given);
    for (String other :
        new String[] {"{}", "{\"elicitation\":{}}", "{\"elicitation\":{\"form\":{}}}"}) {
      Gateway client = new Gateway(gateway.api(), gateway.operator(), other);
      assertThat(Gateway.status(client.result("tools/call", refund("9")))).isEqualTo("held");
    }
    assertThat(Gateway.status(gateway.before("tools/call", refund("9")))).isEqualTo("held");
    Gateway tasks =
        new Gateway(
            gateway.api(),
            gateway.operator(),
            "{\"elicitation\":{\"url\":{}},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");
    assertThat(tasks.result("tools/call", refund("9")).path("resultType").asText())
        .isEqualTo("task");
  }
}
