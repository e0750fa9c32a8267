package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.Operator.Plan;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is judged, approved, called and recorded is one and the same thing (contract, section 3).
 * Each test is named for what it prevents.
 */
@Acceptance
final class BoundSpec {
  private static final String TOOLS =
      """
      [{"name":"pay.refund","capability":"pay","tier":2,
        "input_schema":{"type":"object","required":["order"],"additionalProperties":false,
          "properties":{"order":{},"amount":{},"currency":{}}},
        %s
        "request":{"method":"POST","path":"/refunds"}}]
      """;

  private static final String BINDS =
      "\"binds\":{\"entity\":\"order:{{args.order}}\",\"value\":\"/amount\","
          + "\"currency\":\"/currency\"},\"summary\":\"Refund {{args.amount}} of order {{args.order}}\",";

  private static String connector(Given given, String binds) {
    ObjectNode body = Json.object().put("listing_id", "cn-http").put("name", Given.unique("pay"));
    body.putObject("config")
        .put("base_url", given.upstream().url())
        .put("settle_seconds", 0)
        .set("tools", Json.read(TOOLS.formatted(binds)));
    return given.api().post("/v1/connectors", body).is(201).path("id").asText();
  }

  private static Operator desk(Given given, String connector, ObjectNode... guardrails) {
    return given.operatorOf(given.api(), connector, Json.object(), guardrails);
  }

  private static ObjectNode small() {
    ObjectNode guardrail = Given.allow("pay.refund");
    guardrail.putObject("conditions").put("max_value", 50);
    guardrail
        .putArray("limits")
        .addObject()
        .put("per", "entity")
        .put("window_seconds", 86_400)
        .put("max_actions", 1);
    return guardrail;
  }

  private static ObjectNode refund(String connector, String order, String amount) {
    ObjectNode action =
        Json.object()
            .put("connector", connector)
            .put("tool", "pay.refund")
            .put("idempotency_key", Given.unique("refund"));
    action.putObject("args").put("order", order).put("amount", amount);
    return action;
  }

  @Test
  void noAgentTalksAnAmountSmallOrOneOrderIntoThree(Given given) {
    String connector = connector(given, BINDS);
    Operator desk = desk(given, connector, small());
    for (String entity : new String[] {"order:7", "order:7b", "order:7c"}) {
      Answer answer =
          desk.tryPropose(
              refund(connector, "7", "9000.00").put("value", "0.01").put("entity_key", entity));
      answer.isInvalid(entity.equals("order:7") ? "actions[0].value" : "actions[0].entity_key");
    }
    desk.tryPropose(refund(connector, "7", "9000.00")).isError(422, "policy_blocked");
    Plan first = desk.propose(refund(connector, "7", "20.00"));
    assertThat(first.receipt(0).path("entity_key").asText()).isEqualTo("order:7");
    assertThat(first.receipt(0).path("value").decimalValue()).isEqualByComparingTo("20");
    assertThat(first.receipt(0).path("claimed")).isEmpty();
    Plan second = desk.propose(refund(connector, "7", "20.00"));
    assertThat(second.status()).as("one a day for the order").isEqualTo("proposed");
    assertThat(given.upstream().calls()).hasSize(1);
    long refused =
        given.api().get("/v1/receipts?kind=proposal&outcome=refused").is(200).path("data").size();
    assertThat(refused).isGreaterThanOrEqualTo(3);
  }

  @Test
  void noToolIsExchangedUnderTheApproversEyes(Given given) {
    String connector = connector(given, BINDS);
    Operator desk = desk(given, connector, Given.alert("pay.refund"));
    Plan held = desk.propose(refund(connector, "7", "5"));
    JsonNode shown = held.json().at("/actions/0");
    assertThat(shown.path("summary").asText()).isEqualTo("Refund 5 of order 7");
    assertThat(shown.at("/call/url").asText()).isEqualTo(given.upstream().url() + "/refunds");
    assertThat(shown.at("/call/body").asText()).isEqualTo("{\"order\":\"7\",\"amount\":\"5\"}");

    ObjectNode config = Json.object();
    config
        .putObject("config")
        .put("base_url", given.upstream().url())
        .put("settle_seconds", 0)
        .set(
            "tools",
            Json.read(
                TOOLS
                    .formatted(BINDS)
                    .replace(
                        "\"path\":\"/refunds\"",
                        "\"path\":\"/transfer/all\",\"body\":{\"amount\":1000000}")));
    given
        .apiOfScopes("connectors:write", "connectors:read")
        .patch("/v1/connectors/" + connector, config)
        .is(200);
    JsonNode verdict = held.now().json().at("/actions/0/verdict");
    assertThat(verdict.path("decision").asText()).isEqualTo("BLOCK");
    assertThat(verdict.path("reason").asText()).isEqualTo("tool_changed");
    held.tryApprove().isError(422, "policy_blocked");
    JsonNode receipt = held.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("reason").asText()).isEqualTo("tool_changed");
    assertThat(receipt.path("tool_digest")).isEqualTo(shown.path("tool_digest"));
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void noTierMakesAPostARead(Given given) {
    String connector = connector(given, BINDS);
    ObjectNode config = Json.object();
    config
        .putObject("config")
        .put("base_url", given.upstream().url())
        .set("tools", Json.read(TOOLS.formatted(BINDS).replace("\"tier\":2", "\"tier\":0")));
    given.api().patch("/v1/connectors/" + connector, config).is(200);
    Operator desk = desk(given, connector);
    desk.tryPropose(refund(connector, "7", "5")).isError(422, "policy_blocked");
    JsonNode analysis =
        given
            .api()
            .post("/v1/operators/" + desk.id() + "/guardrails/analyze", Json.object())
            .is(200);
    assertThat(analysis.path("uncovered_tools").toString()).contains("pay.refund");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void noKeyOfOneWorkspaceAnswersForAnother(Given given) {
    String key = Given.unique("refund");
    for (String workspace : new String[] {"ws_a", "ws_b"}) {
      Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", workspace));
      String connector = given.install(pinned, workspace);
      Operator desk =
          given.operatorOf(
              pinned,
              connector,
              Json.object().put("workspace_id", workspace),
              Given.allow(Given.REFUND));
      Plan plan = desk.propose(desk.refund("1042", "5").put("idempotency_key", key));
      assertThat(plan.receipt(0).path("outcome").asText()).as(workspace).isEqualTo("applied");
    }
    assertThat(given.upstream().effects()).hasSize(2);
  }

  /** Who says it; whether the tool binds its fields; whether what is said is so. */
  static Stream<Arguments> waysOfAFact() {
    return Stream.of("script", "agent", "simulated script", "simulated agent")
        .flatMap(
            who ->
                Stream.of(true, false)
                    .flatMap(
                        bound ->
                            Stream.of("nothing", "truth", "lie")
                                .map(said -> Arguments.of(who, bound, said))));
  }

  /** A guardrail permits up to 50 for orders; the arguments say 20. */
  @ParameterizedTest(name = "{0}, bound {1}, says {2}")
  @MethodSource("waysOfAFact")
  void aFactSatisfiesPolicyOnlyWhereItIsBoundOrTheTenantsWord(
      String who, boolean bound, String said, Given given) {
    String connector = connector(given, bound ? BINDS : "");
    ObjectNode guardrail = Given.allow("pay.refund");
    guardrail.putObject("conditions").put("max_value", 50).put("entity_key", "order:*");
    Operator desk = desk(given, connector, guardrail);
    ObjectNode action = refund(connector, "7", "20");
    if (!said.equals("nothing")) {
      action.put("value", said.equals("truth") ? "20" : "0.01").put("entity_key", "order:7");
    } else if (!bound) {
      action.put("entity_key", "order:7");
    }
    String expected;
    if (bound) {
      expected = said.equals("lie") ? "400" : "ALLOW";
    } else {
      // What is not there holds on no ALLOW guardrail, and what an agent says of it is a claim.
      boolean tenantsWord = who.endsWith("script");
      expected = tenantsWord && !said.equals("nothing") ? "ALLOW" : "BLOCK";
    }
    assertThat(decision(given, desk, who, action)).isEqualTo(expected);
  }

  private static String decision(Given given, Operator desk, String who, ObjectNode action) {
    return switch (who) {
      case "agent" -> {
        Answer answer = desk.tryPropose(action);
        yield switch (answer.status()) {
          case 201 -> answer.is(201).at("/actions/0/verdict/decision").asText();
          case 422 -> "BLOCK";
          default -> Integer.toString(answer.status());
        };
      }
      case "script" -> scripted(given, desk, action);
      default -> {
        ObjectNode body =
            Json.object().put("proposer", who.endsWith("script") ? "script" : "agent");
        action.remove("idempotency_key");
        body.putArray("actions").add(action);
        Answer answer =
            given.api().post("/v1/operators/" + desk.id() + "/guardrails/simulate", body);
        yield answer.status() == 200
            ? answer.is(200).at("/verdicts/0/decision").asText()
            : Integer.toString(answer.status());
      }
    };
  }

  private static String scripted(Given given, Operator desk, ObjectNode action) {
    String type = "order." + Given.unique("x").replace('-', '_');
    ObjectNode change = Json.object();
    change.putObject("triggers").putArray("event_types").add(type);
    ObjectNode plan = Json.object().put("event_type", type);
    action.remove("idempotency_key");
    plan.putArray("actions").add(action);
    change.putObject("model").put("provider", "scripted").putArray("plans").add(plan);
    given.api().patch("/v1/operators/" + desk.id(), change).is(200);
    String event = given.event(type, Json.object()).path("id").asText();
    JsonNode receipt =
        Await.until(
                java.time.Duration.ofSeconds(30),
                () -> given.api().get("/v1/receipts?event_id=" + event).is(200),
                list -> !list.path("data").isEmpty())
            .at("/data/0");
    return receipt.path("kind").asText().equals("proposal")
        ? "400"
        : receipt.at("/verdict/decision").asText();
  }
}
