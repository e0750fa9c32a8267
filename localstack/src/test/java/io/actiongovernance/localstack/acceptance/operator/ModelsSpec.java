package io.actiongovernance.localstack.acceptance.operator;

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
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Models that propose, and what is kept of it (specification, rule 1; contract, section 4). */
@Acceptance
public final class ModelsSpec {
  private static final Duration LONGEST = Duration.ofSeconds(45);
  private static final String COMPLETIONS = "/v1/chat/completions";
  private static final String TOKEN = "a-token-for-the-models-endpoint";

  private static final String TOOLS =
      """
      [{"name":"ai.models.list","capability":"ai.models","tier":0,"description":"Lists models.",
        "input_schema":{"type":"object"},"request":{"method":"GET","path":"/v1/models"}}]
      """;

  private static String type() {
    return "order.m" + Given.unique("x").replace("-", "");
  }

  /** The model of the upstream, asked with the credentials of a connector to it. */
  public static ObjectNode model(Given given) {
    ObjectNode lender = Json.object().put("listing_id", "cn-http").put("name", Given.unique("ai"));
    lender
        .putObject("config")
        .put("base_url", given.upstream().url())
        .set("tools", Json.read(TOOLS));
    lender.putObject("credentials").put("type", "bearer").put("token", TOKEN);
    String connector = given.api().post("/v1/connectors", lender).is(201).path("id").asText();
    return Json.object()
        .put("provider", "openai_compatible")
        .put("base_url", given.upstream().url() + "/v1")
        .put("model", "m-1")
        .put("connector", connector);
  }

  private static Operator operator(Given given, String type) {
    ObjectNode body = Json.object().put("instructions", "Refund what was lost.");
    body.put("entity_template", "charge:{{payload.id}}");
    body.putObject("triggers").putArray("event_types").add(type);
    body.set("model", model(given));
    return given.operatorWith(body, Given.alert(Given.REFUND));
  }

  /** Has the model answer the next question by calling a tool. */
  public static void answers(Given given, String tool, ObjectNode arguments) {
    answers(given, tool, arguments, null);
  }

  private static void answers(
      Given given, String tool, ObjectNode arguments, @Nullable String thoughts) {
    ObjectNode completion = Json.object();
    ObjectNode choice = completion.putArray("choices").addObject();
    choice.put("finish_reason", "tool_calls");
    ObjectNode message = choice.putObject("message").put("role", "assistant");
    if (thoughts != null) {
      message.put("reasoning_content", thoughts);
    }
    ObjectNode call = message.putArray("tool_calls").addObject();
    call.put("id", "call_1").put("type", "function");
    call.putObject("function").put("name", tool).put("arguments", Json.write(arguments));
    given.upstream().next(COMPLETIONS, new Upstream.Behaviour.Reply(200, Json.write(completion)));
  }

  private static ObjectNode refund(Operator operator) {
    ObjectNode arguments = Json.object().put("reasoning", "The parcel was lost.");
    ObjectNode action =
        arguments
            .putArray("actions")
            .addObject()
            .put("connector", operator.connector())
            .put("tool", Given.REFUND);
    action.putObject("args").put("charge", "ch_1");
    return arguments;
  }

  private static Plan plan(Given given, Operator operator, int count) {
    List<String> ids =
        Await.until(
            LONGEST,
            () -> given.api().get("/v1/plans?operator_id=" + operator.id()).ids(),
            found -> found.size() == count);
    return new Plan(given.api(), given.api().get("/v1/plans/" + ids.getFirst()).is(200));
  }

  private static JsonNode receipt(Given given, Operator operator) {
    return Await.until(
            LONGEST,
            () -> given.api().get("/v1/receipts?operator_id=" + operator.id()).data(),
            found -> !found.isEmpty())
        .getFirst();
  }

  private static String digest(JsonNode proposal) {
    ObjectNode parts = Json.object();
    for (String part : List.of("provider", "model", "request", "response")) {
      parts.set(part, proposal.path(part));
    }
    return CanonicalJson.sha256(parts);
  }

  @Test
  void aModelsProposalAndItsExchangeCanBeRead(Given given) {
    String type = type();
    Operator operator = operator(given, type);
    answers(given, "propose_plan", refund(operator));
    JsonNode event = given.event(type, Json.object().put("id", "ch_1").put("note", "lost"));
    Plan plan = plan(given, operator, 1);
    assertThat(plan.json().path("reasoning").asText()).isEqualTo("The parcel was lost.");
    assertThat(plan.json().at("/actions/0/entity_key").asText()).isEqualTo("charge:ch_1");
    assertThat(plan.json().path("waiting_on").asText()).isEqualTo("approval");
    JsonNode proposal = Shape.PROPOSAL.of(given.api().get(plan.path() + "/proposal").is(200));
    assertThat(proposal.path("plan_id").asText()).isEqualTo(plan.id());
    assertThat(proposal.path("provider").asText()).isEqualTo("openai_compatible");
    assertThat(proposal.path("model").asText()).isEqualTo("m-1");
    assertThat(proposal.path("proposed_at")).isEqualTo(plan.json().path("proposed_at"));
    assertThat(proposal.path("digest").asText()).isEqualTo(digest(proposal));
    String asked = proposal.path("request").toString();
    assertThat(asked).contains(event.path("id").asText()).contains("Refund what was lost.");
    assertThat(proposal.at("/response/choices/0/message/tool_calls/0/function/name").asText())
        .isEqualTo("propose_plan");
    Upstream.Seen seen = given.upstream().calls(COMPLETIONS).getFirst();
    assertThat(seen.header("Authorization")).isEqualTo("Bearer " + TOKEN);
    assertThat(seen.body()).isEqualTo(proposal.path("request"));
    assertThat(proposal.toString()).doesNotContain(TOKEN);
    plan.approve();
    assertThat(given.upstream().calls("/refunds")).hasSize(1);
  }

  @Test
  void aModelHearsWhyItsEarlierPlanWasVetoed(Given given) {
    String type = type();
    Operator operator = operator(given, type);
    answers(given, "propose_plan", refund(operator));
    String event = given.event(type, Json.object().put("id", "ch_1")).path("id").asText();
    plan(given, operator, 1).tryVeto("Ask the customer first.").is(200);
    answers(given, "propose_plan", refund(operator));
    given
        .api()
        .post("/v1/operators/" + operator.id() + "/repropose", Json.object().put("event_id", event))
        .is(202);
    Plan second = plan(given, operator, 2);
    JsonNode proposal = given.api().get(second.path() + "/proposal").is(200);
    assertThat(proposal.at("/request/messages/1/content").asText())
        .contains("Ask the customer first.");
  }

  @Test
  void aModelAnswerWithoutAProposalIsRefusedWithAReceipt(Given given) {
    String type = type();
    Operator operator = operator(given, type);
    answers(given, "refund_everything", refund(operator));
    given.event(type, Json.object().put("id", "ch_1"));
    JsonNode receipt = Shape.RECEIPT.of(receipt(given, operator));
    assertThat(receipt.path("kind").asText()).isEqualTo("proposal");
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("reason").asText()).contains("did not call propose_plan");
    assertThat(receipt.path("note").asText()).matches("proposal [0-9a-f]{64}");
    assertThat(given.api().get("/v1/plans?operator_id=" + operator.id()).data()).isEmpty();
  }

  @Test
  void aProposalBeyondItsToolsIsRefusedWithAReceipt(Given given) {
    String type = type();
    Operator operator = operator(given, type);
    ObjectNode arguments = refund(operator);
    ((ObjectNode) arguments.at("/actions/0")).put("tool", "pay.everything");
    answers(given, "propose_plan", arguments);
    given.event(type, Json.object().put("id", "ch_1"));
    JsonNode receipt = receipt(given, operator);
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("reason").asText()).contains("actions[0].tool");
    assertThat(receipt.path("note").asText()).startsWith("proposal ");
  }

  @Test
  void aModelThatFailsIsRefusedWithAReceipt(Given given) {
    String type = type();
    Operator operator = operator(given, type);
    given
        .upstream()
        .next(
            COMPLETIONS,
            new Upstream.Behaviour.Fail(500),
            new Upstream.Behaviour.Fail(502),
            new Upstream.Behaviour.Fail(503));
    given.event(type, Json.object().put("id", "ch_1"));
    assertThat(receipt(given, operator).path("reason").asText()).contains("answered 503");
    assertThat(given.upstream().calls(COMPLETIONS)).hasSize(3);
  }

  @Test
  void theProposalOfAnOutsideAgentIsItsOwnRequest(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a", "1.50"));
    JsonNode proposal = Shape.PROPOSAL.of(given.api().get(plan.path() + "/proposal").is(200));
    assertThat(proposal.path("provider").asText()).isEqualTo("agent");
    assertThat(proposal.path("model").isNull()).isTrue();
    assertThat(proposal.path("request").isNull()).isTrue();
    assertThat(proposal.at("/response/reasoning").asText()).isEqualTo("Because.");
    assertThat(proposal.at("/response/actions/0/args/charge").asText()).isEqualTo("a");
    assertThat(proposal.path("digest").asText()).isEqualTo(digest(proposal));
    given.api().get("/v1/plans/pl_00000000000000000000000000/proposal").isError(404, "not_found");
    given
        .apiOfScopes("receipts:read")
        .get(plan.path() + "/proposal")
        .isError(403, "insufficient_scope");
  }

  @Test
  void withoutTheEventsScopeAProposalShowsNoPayloadAndNoInstructions(Given given) {
    String type = type();
    Operator operator = operator(given, type);
    ObjectNode arguments = refund(operator);
    answers(given, "propose_plan", arguments, "It says: the door code is 4711.");
    given.event(type, Json.object().put("id", "ch_1").put("note", "the door code is 4711"));
    String path = plan(given, operator, 1).path() + "/proposal";
    JsonNode whole = given.apiOfScopes("plans:read", "events:read").get(path).is(200);
    assertThat(whole.toString()).contains("4711").contains("Refund what was lost.");
    ObjectNode bound = Json.object();
    bound.putArray("scopes").add("plans:read").add("events:read");
    bound.putArray("operator_ids").add(operator.id());
    for (Api reader :
        List.of(given.apiOfScopes("plans:read"), given.apiOfRole("agent"), given.apiWith(bound))) {
      JsonNode part = Shape.PROPOSAL.of(reader.get(path).is(200));
      assertThat(part.toString()).doesNotContain("4711").doesNotContain("Refund what was lost.");
      assertThat(part.path("request").isNull()).isTrue();
      assertThat(part.at("/response/reasoning").asText()).isEqualTo("The parcel was lost.");
      assertThat(part.at("/response/actions/0/args/charge").asText()).isEqualTo("ch_1");
      assertThat(part.path("digest")).isEqualTo(whole.path("digest"));
    }
  }

  @Test
  void aModelThatMayNotBeAskedIsRefusedAtOnce(Given given) {
    ObjectNode inner = model(given).put("base_url", "http://10.1.2.3/v1");
    inner.remove("connector");
    create(given, inner).isInvalid("model.base_url");
    create(given, model(given).put("base_url", "https://models.example/v1"))
        .isInvalid("model.connector");
    create(given, model(given).put("api_key", "k")).isInvalid("model.api_key");
    ObjectNode bedrock = Json.object().put("provider", "bedrock").put("model_id", "a model");
    create(given, bedrock).isInvalid("model.model_id");
    JsonNode made = create(given, bedrock.put("model_id", "amazon.nova-lite-v1:0")).is(201);
    assertThat(made.path("model")).isEqualTo(bedrock);
    given.api().delete("/v1/operators/" + made.path("id").asText()).is(200);
  }

  private static Answer create(Given given, ObjectNode model) {
    ObjectNode body = Json.object().put("name", Given.unique("desk"));
    return given.api().post("/v1/operators", body.set("model", model));
  }
}
