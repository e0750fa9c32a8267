package io.actiongovernance.localstack.acceptance.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators and their states (contract, section 4). */
@Acceptance
final class OperatorsSpec {
  private static ObjectNode named() {
    return Json.object().put("name", Given.unique("desk"));
  }

  private static String create(Api api, ObjectNode body) {
    return "/v1/operators/" + api.post("/v1/operators", body).is(201).path("id").asText();
  }

  @Test
  void anOperatorHasItsFieldsAndDefaults(Given given) {
    JsonNode operator = given.api().post("/v1/operators", named()).is(201);
    assertThat(operator.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "id",
            "object",
            "name",
            "display_name",
            "description",
            "status",
            "workspace_id",
            "triggers",
            "capabilities",
            "entity_template",
            "model",
            "instructions",
            "guardrails",
            "guardrails_version",
            "plan_ttl_seconds",
            "last_plan_at",
            "paused_at",
            "created_at",
            "updated_at");
    assertThat(operator.path("id").asText()).startsWith("op_");
    assertThat(operator.path("updated_at")).isEqualTo(operator.path("created_at"));
    ObjectNode rest = operator.deepCopy();
    rest.remove(List.of("id", "name", "created_at", "updated_at"));
    assertThat((JsonNode) rest)
        .isEqualTo(
            Json.read(
                """
                {"object":"operator","display_name":null,"description":null,"status":"active",
                 "workspace_id":null,"triggers":{"event_types":[],"sources":[],"schedule":null},
                 "capabilities":[],"entity_template":null,"model":null,"instructions":null,
                 "guardrails":[],"guardrails_version":1,"plan_ttl_seconds":259200,
                 "last_plan_at":null,"paused_at":null}
                """));
    String path = "/v1/operators/" + operator.path("id").asText();
    assertThat(given.api().get(path).is(200)).isEqualTo(operator);
    assertThat(given.api().get("/v1/operators").data().getFirst()).isEqualTo(operator);
  }

  @Test
  void anOperatorIsReturnedAsSent(Given given) {
    ObjectNode sent =
        (ObjectNode)
            Json.read(
                """
                {"display_name":"Refund desk","description":"Refunds.","instructions":"Be kind.",
                 "triggers":{"event_types":["ticket.created","order.*"],"sources":["zendesk"],
                             "schedule":"rate(15 minutes)"},
                 "entity_template":"order:{{payload.id}}","plan_ttl_seconds":5,
                 "model":{"provider":"scripted","plans":[{"event_type":"order.*",
                   "when":[{"path":"/total","op":"gt","value":100.10}],"reasoning":"{{payload.id}}",
                   "actions":[{"connector":"cn_x","tool":"a.b","args":{"n":1.0},
                               "value":"{{payload.n}}","entity_key":"e","idempotency_key":"i"}]}]}}
                """);
    sent.put("name", Given.unique("desk"));
    JsonNode operator = given.api().post("/v1/operators", sent).is(201);
    sent.properties()
        .forEach(field -> assertThat(operator.get(field.getKey())).isEqualTo(field.getValue()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"name\":\"ab\" | name",
        "\"name\":\"Desk\" | name",
        "\"name\":\"1desk\" | name",
        "\"name\":\"desk-\" | name",
        "\"name\":\"de--sk\" | name",
        "\"status\":\"paused\" | status",
        "\"keep_results\":\"yes\" | keep_results",
        "\"plan_ttl_seconds\":4 | plan_ttl_seconds",
        "\"plan_ttl_seconds\":2592001 | plan_ttl_seconds",
        "\"plan_ttl_seconds\":5.5 | plan_ttl_seconds",
        "\"plan_ttl_seconds\":\"60\" | plan_ttl_seconds",
        "\"triggers\":{\"event_types\":[\"**\"]} | triggers.event_types[0]",
        "\"triggers\":{\"event_types\":\"order.*\"} | triggers.event_types",
        "\"triggers\":{\"schedule\":\"rate(0 minutes)\"} | triggers.schedule",
        "\"triggers\":{\"schedule\":\"cron(* * * * *)\"} | triggers.schedule",
        "\"triggers\":{\"cron\":\"x\"} | triggers.cron",
        "\"capabilities\":[1] | capabilities[0]",
        "\"model\":{\"provider\":\"oracle\"} | model.provider",
        "\"model\":{\"provider\":\"scripted\",\"plans\":[{\"actions\":[]}]} | model.plans[0].actions",
        "\"model\":{\"provider\":\"scripted\",\"plans\":[],\"x\":1} | model.x",
        "\"guardrails\":{} | guardrails",
        "\"guardrails_version\":7 | guardrails_version",
        "\"id\":\"op_1\" | id",
      })
  void aBadFieldIsNamed(String field, String param, Given given) {
    String name = param.equals("name") ? "" : "\"name\":\"" + Given.unique("desk") + "\",";
    given.api().send("POST", "/v1/operators", "{" + name + field + "}").isInvalid(param);
    assertThat(given.api().get("/v1/operators").data()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 2_592_000})
  void aPlanMayWaitFrom5SecondsTo30Days(int seconds, Given given) {
    JsonNode operator =
        given.api().post("/v1/operators", named().put("plan_ttl_seconds", seconds)).is(201);
    assertThat(operator.path("plan_ttl_seconds").asInt()).isEqualTo(seconds);
  }

  @Test
  void aNameIsASlugOf3To60CharactersAndUnique(Given given) {
    Api api = given.api();
    api.post("/v1/operators", Json.object().put("name", "a".repeat(61))).isInvalid("name");
    api.post("/v1/operators", Json.object().put("name", "a".repeat(60))).is(201);
    String path = create(api, Json.object().put("name", "abc"));
    api.post("/v1/operators", Json.object().put("name", "abc")).isError(409, "state_conflict");
    String other = create(api, Json.object().put("name", "abd"));
    api.patch(other, Json.object().put("name", "abc")).isError(409, "state_conflict");
    api.delete(path).is(200);
    api.patch(other, Json.object().put("name", "abc")).is(200);
  }

  @Test
  void statesFollowTheContractAndEveryOtherStepIsAConflict(Given given) {
    Api api = given.api();
    String draft = create(api, named().put("status", "draft"));
    steps(api, draft, List.of("pause", "resume"), "draft");
    assertThat(api.post(draft + "/publish").is(200).path("status").asText()).isEqualTo("active");
    steps(api, draft, List.of("publish", "resume"), "active");
    JsonNode paused = api.post(draft + "/pause").is(200);
    assertThat(paused.path("status").asText()).isEqualTo("paused");
    assertThat(paused.path("paused_at").asText()).startsWith("20");
    steps(api, draft, List.of("publish", "pause"), "paused");
    JsonNode resumed = api.post(draft + "/resume").is(200);
    assertThat(resumed.path("status").asText()).isEqualTo("active");
    assertThat(resumed.path("paused_at").isNull()).isTrue();
    assertThat(api.delete(draft).is(200).path("status").asText()).isEqualTo("archived");
    steps(api, draft, List.of("publish", "pause", "resume"), "archived");
    api.delete(draft).isError(409, "state_conflict");
    api.patch(draft, Json.object().put("description", "x")).isError(409, "state_conflict");
  }

  private static void steps(Api api, String path, List<String> refused, String status) {
    for (String step : refused) {
      api.post(path + "/" + step).isError(409, "state_conflict");
    }
    assertThat(api.get(path).is(200).path("status").asText()).isEqualTo(status);
  }

  @Test
  void archivingHidesAnOperatorAndEndsItsOpenPlans(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund(Given.unique("ch")));
    given.api().delete("/v1/operators/" + operator.id()).is(200);
    assertThat(given.api().get("/v1/operators").ids()).doesNotContain(operator.id());
    assertThat(given.api().get("/v1/operators?status=archived").ids()).contains(operator.id());
    plan.await("expired");
    plan.tryApprove().isError(409, "state_conflict");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void aChangeKeepsOmittedFieldsAndClearsNullOnes(Given given) {
    Api api = given.api();
    String path = create(api, named().put("description", "one").put("display_name", "two"));
    JsonNode changed =
        api.patch(path, Json.read("{\"description\":null,\"plan_ttl_seconds\":9}")).is(200);
    assertThat(changed.path("description").isNull()).isTrue();
    assertThat(changed.path("display_name").asText()).isEqualTo("two");
    assertThat(changed.path("plan_ttl_seconds").asInt()).isEqualTo(9);
    assertThat(changed.path("guardrails_version").asInt()).isEqualTo(1);
    api.patch(path, Json.read("{\"name\":null}")).isInvalid("name");
    api.patch(path, Json.read("{\"status\":\"paused\"}")).isInvalid("status");
  }

  @Test
  void aCapabilityNeedsAConnectorUnlessItIsADraft(Given given) {
    Api api = given.api();
    ObjectNode body = named();
    body.putArray("capabilities").add("pay.refund");
    JsonNode error = api.post("/v1/operators", body).isError(422, "capability_unbound");
    assertThat(error.at("/details/capability").asText()).isEqualTo("pay.refund");
    String draft = create(api, body.put("status", "draft"));
    api.post(draft + "/publish").isError(422, "capability_unbound");
    given.connector();
    api.post(draft + "/publish").is(200);
    api.patch(draft, Json.read("{\"capabilities\":[\"pay.nothing\"]}"))
        .isError(422, "capability_unbound");
  }

  @Test
  void atMost25OperatorsAreActive(Given given) {
    Api api = given.api();
    String first = create(api, named());
    String paused = create(api, named());
    api.post(paused + "/pause").is(200);
    for (int at = 1; at < 25; at++) {
      create(api, named());
    }
    String draft = create(api, named().put("status", "draft"));
    for (Answer refused :
        List.of(
            api.post("/v1/operators", named()),
            api.post(draft + "/publish"),
            api.post(paused + "/resume"))) {
      refused.isError(429, "quota_exceeded");
      assertThat(refused.header("Retry-After")).isEqualTo("60");
    }
    api.post(first + "/pause").is(200);
    api.post(draft + "/publish").is(200);
  }

  @Test
  void theListIsFilteredByStatusAndWorkspace(Given given) {
    Api api = given.api();
    String draft = create(api, named().put("status", "draft"));
    String north = create(api, named().put("workspace_id", "north"));
    assertThat(api.get("/v1/operators?status=draft").ids()).containsExactly(last(draft));
    assertThat(api.get("/v1/operators?status=active").ids()).containsExactly(last(north));
    assertThat(api.get("/v1/operators?workspace_id=north").ids()).containsExactly(last(north));
    Lists.hold(api, "/v1/operators", List.of(last(north), last(draft)));
    api.get("/v1/operators?status=gone").isInvalid("status");
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
