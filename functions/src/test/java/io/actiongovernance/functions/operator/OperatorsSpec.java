package io.actiongovernance.functions.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The routes of operators, by requests through the pipeline (contract, section 4). JSON is written
 * with single quotes.
 */
class OperatorsSpec {
  private static final String OPERATORS = "/v1/operators";

  private final TestApi api = new TestApi();
  private final TestTenant tenant = api.tenant();

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private Response send(String method, String path, String body) {
    TestApi.Request request = api.request(method, path).key(tenant.live());
    return (body.isEmpty() ? request : request.body(json(body))).send();
  }

  private JsonNode created(String body) {
    Response response = send("POST", OPERATORS, body);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json();
  }

  private String created() {
    return OPERATORS + "/" + created("{'name':'refund-desk'}").get("id").textValue();
  }

  private String sandbox() {
    Response response =
        send("POST", "/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox'}");
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json().get("id").textValue();
  }

  private static void assertError(Response response, int status, String code) {
    assertThat(response.status() + " " + response.code())
        .as(response.body())
        .isEqualTo(status + " " + code);
  }

  @Test
  void creationAnswersWithTheWholeOperator() {
    JsonNode operator = created("{'name':'refund-desk'}");
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
    assertThat(operator.get("id").textValue()).startsWith("op_");
    assertThat(operator.get("created_at").textValue()).isEqualTo("2026-11-20T21:44:07.412Z");
    String expected =
        "{'object':'operator','name':'refund-desk','display_name':null,'description':null,'status':'active',"
            + "'workspace_id':null,'triggers':{'event_types':[],'sources':[],'schedule':null},'capabilities':[],"
            + "'entity_template':null,'model':null,'instructions':null,'guardrails':[],'guardrails_version':1,"
            + "'plan_ttl_seconds':259200,'last_plan_at':null,'paused_at':null,"
            + "'created_at':'2026-11-20T21:44:07.412Z','updated_at':'2026-11-20T21:44:07.412Z'}";
    ObjectNode rest = operator.deepCopy();
    rest.remove("id");
    assertThat((JsonNode) rest).isEqualTo(Json.read(json(expected)));
    assertThat(send("GET", OPERATORS + "/" + operator.get("id").textValue(), "").json())
        .isEqualTo(operator);
  }

  @Test
  void theStatesFollowOneAnotherAndEachAnswersWithTheOperator() {
    String path =
        OPERATORS + "/" + created("{'name':'refund-desk','status':'draft'}").get("id").textValue();
    assertError(send("POST", path + "/resume", ""), 409, "state_conflict");
    assertThat(send("POST", path + "/publish", "").json().get("status").textValue())
        .isEqualTo("active");
    JsonNode paused = send("POST", path + "/pause", "{}").json();
    assertThat(paused.get("status").textValue()).isEqualTo("paused");
    assertThat(paused.get("paused_at").isTextual()).isTrue();
    assertThat(send("POST", path + "/resume", "").json().get("status").textValue())
        .isEqualTo("active");
    assertError(send("POST", path + "/publish", ""), 409, "state_conflict");
    assertThat(send("DELETE", path, "").json().get("status").textValue()).isEqualTo("archived");
    assertError(send("DELETE", path, ""), 409, "state_conflict");
    assertThat(send("GET", path, "").json().get("status").textValue()).isEqualTo("archived");
    assertThat(send("GET", OPERATORS, "").json().get("data")).isEmpty();
    assertThat(send("GET", OPERATORS + "?status=archived", "").json().get("data")).hasSize(1);
  }

  @Test
  void anUpdateMergesAndPatchedGuardrailsAreANewVersion() {
    String path = created();
    JsonNode updated =
        send(
                "PATCH",
                path,
                "{'display_name':'Refunds','guardrails':[{'name':'a','decision':'ALLOW','tool':'x.y'}]}")
            .json();
    assertThat(updated.get("display_name").textValue()).isEqualTo("Refunds");
    assertThat(updated.get("guardrails_version").intValue()).isEqualTo(2);
    assertThat(send("PATCH", path, "{'display_name':null}").json().get("display_name").isNull())
        .isTrue();
    Response status = send("PATCH", path, "{'status':'paused'}");
    assertError(status, 400, "invalid_parameter");
    assertThat(status.param()).isEqualTo("status");
  }

  @Test
  void guardrailsAreReadAndReplacedByVersion() {
    String path = created() + "/guardrails";
    String rail = "{'name':'a','decision':'ALLOW','tool':'x.y'}";
    JsonNode put = send("PUT", path, "{'guardrails':[" + rail + "],'expected_version':1}").json();
    assertThat(put.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "object",
            "operator_id",
            "guardrails_version",
            "guardrails",
            "unbound",
            "matches_no_tool");
    assertThat(put.get("object").textValue()).isEqualTo("guardrails");
    assertThat(put.get("guardrails_version").intValue()).isEqualTo(2);
    assertThat(put.at("/guardrails/0/priority").intValue()).isEqualTo(100);
    ((ObjectNode) put).remove(List.of("unbound", "matches_no_tool"));
    assertThat(send("GET", path, "").json()).isEqualTo(put);
    assertError(send("PUT", path, "{'guardrails':[],'expected_version':1}"), 409, "state_conflict");
    assertError(send("PUT", path, "{'guardrails':[]}"), 400, "missing_parameter");
    Response bad =
        send("PUT", path, "{'guardrails':[" + rail + "," + rail + "],'expected_version':2}");
    assertError(bad, 400, "invalid_parameter");
    assertThat(bad.param()).isEqualTo("guardrails[1].name");
  }

  @Test
  void aPutUnderOneIdempotencyKeyIsCarriedOutOnce() {
    String path = created() + "/guardrails";
    for (int time = 0; time < 2; time++) {
      Response response =
          api.request("PUT", path)
              .key(tenant.live())
              .idempotencyKey("put-once")
              .body(json("{'guardrails':[],'expected_version':1}"))
              .send();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.json().get("guardrails_version").intValue()).isEqualTo(2);
    }
  }

  @Test
  void aSimulationShowsVerdicts() {
    String connector = sandbox();
    String operator =
        created(
                "{'name':'refund-desk','guardrails':[{'name':'small','decision':'ALLOW',"
                    + "'tool':'sandbox.payment.refund','conditions':{'max_value':50}}]}")
            .get("id")
            .textValue();
    String path = OPERATORS + "/" + operator + "/guardrails/simulate";
    String action =
        "{'connector':'"
            + connector
            + "','tool':'sandbox.payment.refund',"
            + "'args':{'order':'1','amount':%1$s},'value':%1$s,'entity_key':'order:1'}";
    String actions = "'actions':[" + action.formatted("50") + "," + action.formatted("51") + "]";
    JsonNode simulated = send("POST", path, "{" + actions + "}").json();
    assertThat(simulated.get("object").textValue()).isEqualTo("simulation");
    assertThat(simulated.get("guardrails_version").intValue()).isEqualTo(1);
    assertThat(simulated.get("verdicts"))
        .isEqualTo(
            Json.read(
                json(
                    "[{'decision':'ALLOW','tier':2,'rule':'small','reason':null,'limit':null},"
                        + "{'decision':'BLOCK','tier':2,'rule':null,'reason':null,'limit':null}]")));
    JsonNode other =
        send(
                "POST",
                path,
                "{" + actions + ",'guardrails':[{'name':'g','decision':'ALERT','tool':'*.*.*'}]}")
            .json();
    assertThat(other.get("guardrails_version").isNull()).isTrue();
    assertThat(other.at("/verdicts/1/decision").textValue()).isEqualTo("ALERT");
    Response bad = send("POST", path, "{'actions':[" + action.formatted("true") + "]}");
    assertError(bad, 400, "invalid_parameter");
    assertThat(bad.param()).isEqualTo("actions[0].args");
  }

  @Test
  void whatKeepsAnOperatorFromBeingMadeIsSaid() {
    Response unbound =
        send("POST", OPERATORS, "{'name':'refund-desk','capabilities':['payments.refund']}");
    assertError(unbound, 422, "capability_unbound");
    assertThat(unbound.json().at("/error/details/capability").textValue())
        .isEqualTo("payments.refund");
    sandbox();
    created("{'name':'refund-desk','capabilities':['payments.refund']}");
    assertError(send("POST", OPERATORS, "{'name':'refund-desk'}"), 409, "state_conflict");
    for (int count = 1; count < 25; count++) {
      created("{'name':'desk-" + count + "'}");
    }
    Response full = send("POST", OPERATORS, "{'name':'one-more'}");
    assertError(full, 429, "quota_exceeded");
    assertThat(full.header("Retry-After")).isEqualTo("60");
  }

  @Test
  void aListIsPagedByCursor() {
    for (int count = 0; count < 5; count++) {
      created("{'name':'desk-" + count + "'}");
    }
    List<String> names = new ArrayList<>();
    String query = "?limit=2";
    while (!query.isEmpty()) {
      JsonNode page = send("GET", OPERATORS + query, "").json();
      page.get("data").forEach(one -> names.add(one.get("name").textValue()));
      JsonNode next = page.get("next_cursor");
      assertThat(page.get("has_more").booleanValue()).isEqualTo(next.isTextual());
      query = next.isNull() ? "" : "?limit=2&cursor=" + next.textValue();
    }
    assertThat(names).containsExactly("desk-4", "desk-3", "desk-2", "desk-1", "desk-0");
  }

  @ParameterizedTest
  @CsvSource({"?status=deleted, status", "?limit=0, limit", "?limit=101, limit", "?what=1, what"})
  void aBadQueryIsNamed(String query, String param) {
    Response response = send("GET", OPERATORS + query, "");
    assertError(response, 400, "invalid_parameter");
    assertThat(response.param()).isEqualTo(param);
  }

  @Test
  void anotherTenantsOperatorIsNotFoundOnEveryRoute() {
    String path = created();
    String stranger = api.tenant().live();
    for (String key : List.of(stranger, tenant.test())) {
      assertError(api.get(path).key(key).send(), 404, "not_found");
      assertError(api.get(path + "/guardrails").key(key).send(), 404, "not_found");
      assertError(api.delete(path).key(key).send(), 404, "not_found");
      assertError(api.request("PATCH", path).key(key).body("{}").send(), 404, "not_found");
      for (String verb : List.of("/publish", "/pause", "/resume")) {
        assertError(api.post(path + verb, "{}").key(key).send(), 404, "not_found");
      }
      assertError(
          api.request("PUT", path + "/guardrails")
              .key(key)
              .body("{\"guardrails\":[],\"expected_version\":1}")
              .send(),
          404,
          "not_found");
      assertError(
          api.post(
                  path + "/guardrails/simulate",
                  "{\"actions\":[{\"connector\":\"c\",\"tool\":\"t\"}]}")
              .key(key)
              .send(),
          404,
          "not_found");
    }
    assertError(send("GET", OPERATORS + "/op_nonsense", ""), 404, "not_found");
  }

  @Test
  void whoMayOnlyReadMaySimulateButNotChange() {
    String path = created();
    String reader =
        send("POST", "/v1/keys", "{'name':'reader','role':'read_only'}")
            .json()
            .get("secret")
            .textValue();
    assertThat(api.get(path).key(reader).send().status()).isEqualTo(200);
    assertError(api.post(path + "/pause", "{}").key(reader).send(), 403, "insufficient_scope");
    assertError(
        api.post(path + "/guardrails/simulate", json("{'actions':[]}")).key(reader).send(),
        400,
        "invalid_parameter");
  }
}
