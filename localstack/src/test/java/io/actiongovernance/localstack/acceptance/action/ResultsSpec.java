package io.actiongovernance.localstack.acceptance.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What calls came back with, and who may read it (contract for agents, section 1). */
@Acceptance
final class ResultsSpec {
  private static final String AGENT = "agent";

  private static Plan proposed(Api by, Operator operator, ObjectNode... actions) {
    String path = "/v1/operators/" + operator.id() + "/plans";
    return new Plan(operator.api(), by.post(path, Operator.proposal(actions)).is(201));
  }

  private static Answer result(Api by, Plan plan) {
    return by.get("/v1/actions/" + plan.actionId(0) + "/result");
  }

  private static JsonNode receipt(Given given, Plan plan) {
    return given.api().get("/v1/receipts?action_id=" + plan.actionId(0)).data().getFirst();
  }

  private static Operator reading(Given given) {
    return given.operator(Given.allow(Given.READ), Given.allow(Given.REFUND));
  }

  private static ObjectNode read(Operator operator) {
    String charge = Given.unique("ch");
    return operator.action(Given.READ, "charge:" + charge, Json.object().put("charge", charge));
  }

  @Test
  void theProposerReadsTheResultNamedByTheReceipt(Given given) {
    Operator operator = reading(given);
    Api agent = given.apiOfRole(AGENT);
    given.upstream().next("/charges", new Upstream.Behaviour.Reply(200, "{ \"amount\" : 42.00 }"));
    Plan plan = proposed(agent, operator, read(operator));
    JsonNode result = Shape.ACTION_RESULT.of(result(agent, plan).is(200));
    assertThat(result.path("object").asText()).isEqualTo("action_result");
    assertThat(result.path("action_id").asText()).isEqualTo(plan.actionId(0));
    assertThat(result.path("body").asText()).isEqualTo("{ \"amount\" : 42.00 }");
    assertThat(result.path("encoding").asText()).isEqualTo("text");
    assertThat(result.path("truncated").asBoolean()).isFalse();
    assertThat(result.path("bytes").asInt()).isEqualTo(20);
    assertThat(result.path("sha256").asText())
        .isEqualTo(CanonicalJson.sha256("{ \"amount\" : 42.00 }"));
    assertThat(Instant.parse(result.path("expires_at").asText()))
        .isAfter(Instant.now().plus(Duration.ofMinutes(1)));
    assertThat(receipt(given, plan).path("result_sha256")).isEqualTo(result.path("sha256"));
  }

  @Test
  void anUnboundKeyReadsItsOwnResultsAndABoundKeyItsOperators(Given given) {
    Operator operator = reading(given);
    Plan plan = proposed(given.apiOfRole(AGENT), operator, read(operator));
    result(given.apiOfRole(AGENT), plan).isError(404, "not_found");
    ObjectNode bound = Json.object().put("role", AGENT);
    bound.putArray("operator_ids").add(operator.id());
    result(given.apiWith(bound), plan).is(200);
    ObjectNode elsewhere = Json.object().put("role", AGENT);
    elsewhere.putArray("operator_ids").add(reading(given).id());
    result(given.apiWith(elsewhere), plan).isError(404, "not_found");
    result(given.api(), plan).is(200);
    result(given.apiOfRole("operate"), plan).isError(403, "insufficient_scope");
  }

  @Test
  void aDeduplicatedActionNamesItsHolder(Given given) {
    Operator operator = reading(given);
    ObjectNode once = operator.refund(Given.unique("ch"));
    Plan first = operator.propose(once);
    Plan second = operator.propose(once);
    JsonNode error = result(given.api(), second).isError(404, "not_found");
    assertThat(error.at("/details/holder_action_id").asText()).isEqualTo(first.actionId(0));
  }

  @Test
  void aFailedActionHasNoResult(Given given) {
    Operator operator = reading(given);
    given.upstream().next("/refunds", new Upstream.Behaviour.Reply(422, "{\"error\":\"no\"}"));
    Plan failed = operator.propose(operator.refund(Given.unique("ch")));
    result(given.api(), failed).isError(404, "not_found");
    assertThat(receipt(given, failed).path("result_sha256").isNull()).isTrue();
  }

  @Test
  void theOperatorDecidesWhetherAScriptsResultsAreKept(Given given) {
    for (boolean kept : new boolean[] {false, true}) {
      String type = "order.t" + Given.unique("x").replace("-", "");
      ObjectNode fields = Json.object().put("keep_results", kept);
      fields.putObject("triggers").putArray("event_types").add(type);
      fields
          .putObject("model")
          .put("provider", "scripted")
          .set(
              "plans",
              Json.read(
                  """
                  [{"event_type":"order.*","actions":[
                     {"connector":"$CONNECTOR","tool":"pay.charge.read",
                      "entity_key":"charge:{{payload.id}}","args":{"charge":"{{payload.id}}"}}]}]
                  """
                      .replace("$CONNECTOR", given.connector())));
      Operator operator = given.operatorWith(fields, Given.allow(Given.READ));
      JsonNode retrieved = given.api().get("/v1/operators/" + operator.id()).is(200);
      assertThat(retrieved.path("keep_results").asBoolean()).isEqualTo(kept);
      given.event(type, Json.object().put("id", Given.unique("ch")));
      JsonNode action =
          Await.until(
                  Duration.ofSeconds(45),
                  () -> given.api().get("/v1/actions?operator_id=" + operator.id()).data(),
                  found -> found.size() == 1)
              .getFirst();
      Answer answer = given.api().get("/v1/actions/" + action.path("id").asText() + "/result");
      if (kept) {
        answer.is(200);
      } else {
        answer.isError(404, "not_found");
      }
    }
  }

  @Test
  void largeAnswersAreKeptWholeAndTheLargestInPart(Given given) {
    Operator operator = reading(given);
    String large = "x".repeat(1 << 20);
    given.upstream().next("/charges", new Upstream.Behaviour.Reply(200, large));
    Plan plan = operator.propose(read(operator));
    JsonNode result = result(given.api(), plan).is(200);
    assertThat(result.path("body").asText()).isEqualTo(large);
    assertThat(result.path("truncated").asBoolean()).isFalse();
    given.upstream().next("/charges", new Upstream.Behaviour.Reply(200, "x".repeat((4 << 20) + 1)));
    JsonNode cut = result(given.api(), operator.propose(read(operator))).is(200);
    assertThat(cut.path("truncated").asBoolean()).isTrue();
    assertThat(cut.path("body").asText()).hasSize(256 * 1_024);
    assertThat(cut.path("bytes").asInt()).isEqualTo(4 << 20);
  }

  /** Each of these characters is six in JSON: the answer would have 24 MB. */
  @Test
  void aResultThatWouldExceedFiveMegabytesIsTruncated(Given given) {
    Operator operator = reading(given);
    given.upstream().next("/charges", new Upstream.Behaviour.Reply(200, "\u0001".repeat(4 << 20)));
    JsonNode result = result(given.api(), operator.propose(read(operator))).is(200);
    assertThat(result.path("truncated").asBoolean()).isTrue();
    assertThat(result.path("bytes").asInt()).isEqualTo(4 << 20);
    assertThat(Json.write(result).length()).isBetween(4_500_000, 5_000_000);
  }
}
