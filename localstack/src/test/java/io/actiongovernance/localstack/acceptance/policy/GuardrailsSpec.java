package io.actiongovernance.localstack.acceptance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guardrails as a versioned whole (contract, sections 3 and 4). */
@Acceptance
final class GuardrailsSpec {
  @Test
  void eachChangeIsTheNextVersionAndAStaleOneIsAConflict(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Api api = given.api();
    JsonNode first = api.get(operator.guardrailsPath()).is(200);
    assertThat(first.path("object").asText()).isEqualTo("guardrails");
    assertThat(first.path("operator_id").asText()).isEqualTo(operator.id());
    assertThat(first.path("guardrails_version").asInt()).isEqualTo(1);
    JsonNode second =
        api.put(operator.guardrailsPath(), Operator.guardrailsBody(1, Given.block(Given.NOTE)))
            .is(200);
    assertThat(second.fieldNames())
        .toIterable()
        .containsExactly(
            "object",
            "operator_id",
            "guardrails_version",
            "guardrails",
            "unbound",
            "matches_no_tool");
    assertThat(second.path("guardrails_version").asInt()).isEqualTo(2);
    assertThat(second.at("/guardrails/0/decision").asText()).isEqualTo("BLOCK");
    api.put(operator.guardrailsPath(), Operator.guardrailsBody(1)).isError(409, "state_conflict");
    api.put(operator.guardrailsPath(), Operator.guardrailsBody(3)).isError(409, "state_conflict");
    ((ObjectNode) second).remove(List.of("unbound", "matches_no_tool"));
    assertThat(api.get(operator.guardrailsPath()).is(200)).isEqualTo(second);
    ObjectNode patch = Json.object();
    patch.putArray("guardrails");
    JsonNode third = api.patch("/v1/operators/" + operator.id(), patch).is(200);
    assertThat(third.path("guardrails_version").asInt()).isEqualTo(3);
    assertThat(third.path("guardrails")).isEmpty();
  }

  @Test
  void oneOfConcurrentChangesIsMade(Given given) {
    Operator operator = given.operator();
    List<CompletableFuture<Answer>> changes =
        Stream.of(Given.NOTE, Given.READ, Given.REFUND, Given.DELETE)
            .map(
                tool ->
                    CompletableFuture.supplyAsync(
                        () ->
                            given
                                .api()
                                .put(
                                    operator.guardrailsPath(),
                                    Operator.guardrailsBody(1, Given.allow(tool)))))
            .toList();
    assertThat(changes.stream().map(change -> change.join().status()).toList())
        .containsExactlyInAnyOrder(200, 409, 409, 409);
    assertThat(
            given.api().get(operator.guardrailsPath()).is(200).path("guardrails_version").asInt())
        .isEqualTo(2);
  }

  @Test
  void omittedFieldsGetDefaultsAndNumbersAreUnchanged(Given given) {
    Operator operator = given.operator();
    ObjectNode sent =
        (ObjectNode)
            Json.read(
                """
                {"name":"small","decision":"ALLOW","tool":"pay.refund.*",
                 "conditions":{"min_value":0.10,"max_value":"50.00","currency":"usd",
                   "entity_key":"order:*","max_tier":2,
                   "args":[{"path":"/currency","op":"in","value":["usd",null,1.0]}]},
                 "limits":[{"per":"entity","window_seconds":86400,"max_actions":1},
                           {"per":"operator","window_seconds":86400,"max_value":"1000.00"}]}
                """);
    JsonNode answered =
        given
            .api()
            .put(operator.guardrailsPath(), Operator.guardrailsBody(1, sent))
            .is(200)
            .path("guardrails")
            .path(0);
    assertThat(answered.path("priority").asInt()).isEqualTo(100);
    assertThat(answered.path("enabled").asBoolean()).isTrue();
    assertThat(answered.path("connector").isNull()).isTrue();
    assertThat(answered.path("conditions")).isEqualTo(sent.path("conditions"));
    assertThat(answered.at("/limits/1/max_value").asText()).isEqualTo("1000.00");
    assertThat(answered.at("/limits/0/max_value").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"name\":\"\" | name",
        "\"decision\":\"DENY\" | decision",
        "\"decision\":\"allow\" | decision",
        "\"tool\":\"pay.**\" | tool",
        "\"tool\":\"pay.ref*\" | tool",
        "\"tool\":\"\" | tool",
        "\"priority\":1.5 | priority",
        "\"priority\":\"1\" | priority",
        "\"enabled\":\"true\" | enabled",
        "\"connector\":\"shop\" | connector",
        "\"conditions\":[] | conditions",
        "\"conditions\":{\"min_value\":\"much\"} | conditions.min_value",
        "\"conditions\":{\"min_value\":\"1e3x\"} | conditions.min_value",
        "\"conditions\":{\"max_tier\":4} | conditions.max_tier",
        "\"conditions\":{\"max_tier\":-1} | conditions.max_tier",
        "\"conditions\":{\"entity_key\":\"a*b\"} | conditions.entity_key",
        "\"conditions\":{\"age\":1} | conditions.age",
        "\"conditions\":{\"args\":[{\"path\":\"a\",\"op\":\"eq\",\"value\":1}]} | conditions.args[0].path",
        "\"conditions\":{\"args\":[{\"path\":\"/a~2\",\"op\":\"eq\",\"value\":1}]} | conditions.args[0].path",
        "\"conditions\":{\"args\":[{\"path\":\"/a\",\"op\":\"matches\",\"value\":\"x\"}]} | conditions.args[0].op",
        "\"conditions\":{\"args\":[{\"path\":\"/a\",\"op\":\"gt\",\"value\":\"x\"}]} | conditions.args[0].value",
        "\"conditions\":{\"args\":[{\"path\":\"/a\",\"op\":\"in\",\"value\":[]}]} | conditions.args[0].value",
        "\"conditions\":{\"args\":[{\"path\":\"/a\",\"op\":\"prefix\",\"value\":1}]} | conditions.args[0].value",
        "\"conditions\":{\"args\":[{\"path\":\"/a\",\"op\":\"exists\",\"value\":1}]} | conditions.args[0].value",
        "\"limits\":[{\"per\":\"day\",\"window_seconds\":1,\"max_actions\":1}] | limits[0].per",
        "\"limits\":[{\"per\":\"tool\",\"window_seconds\":0,\"max_actions\":1}] | limits[0].window_seconds",
        "\"limits\":[{\"per\":\"tool\",\"window_seconds\":2592001,\"max_actions\":1}] | limits[0].window_seconds",
        "\"limits\":[{\"per\":\"tool\",\"window_seconds\":1,\"max_actions\":-1}] | limits[0].max_actions",
        "\"limits\":[{\"per\":\"tool\",\"window_seconds\":1,\"max_value\":\"-1\"}] | limits[0].max_value",
        "\"rego\":\"allow\" | rego",
      })
  void aBadFieldIsNamedAndNothingChanges(String field, String param, Given given) {
    Operator operator = given.operator();
    ObjectNode guardrail = Given.allow(Given.NOTE);
    guardrail.setAll((ObjectNode) Json.read("{" + field + "}"));
    given
        .api()
        .put(operator.guardrailsPath(), Operator.guardrailsBody(1, guardrail))
        .isInvalid("guardrails[0]." + param);
    assertThat(
            given.api().get(operator.guardrailsPath()).is(200).path("guardrails_version").asInt())
        .isEqualTo(1);
  }

  @Test
  void namesAreUniqueInASet(Given given) {
    Operator operator = given.operator();
    given
        .api()
        .put(
            operator.guardrailsPath(),
            Operator.guardrailsBody(1, Given.allow(Given.NOTE), Given.allow(Given.NOTE)))
        .isInvalid("guardrails[1].name");
  }

  @Test
  void aLimitNeedsABound(Given given) {
    ObjectNode guardrail = Given.allow(Given.NOTE);
    guardrail.putArray("limits").addObject().put("per", "tool").put("window_seconds", 60);
    given
        .api()
        .put(given.operator().guardrailsPath(), Operator.guardrailsBody(1, guardrail))
        .isError(400, "missing_parameter");
  }

  @Test
  void anApproverCannotChangeGuardrails(Given given) {
    Operator operator = given.operator();
    given
        .apiOfRole("operate")
        .put(operator.guardrailsPath(), Operator.guardrailsBody(1))
        .isError(403, "insufficient_scope");
    given.apiOfRole("operate").get(operator.guardrailsPath()).is(200);
  }
}
