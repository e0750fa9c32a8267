package io.actiongovernance.localstack.acceptance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Versions of guardrails are kept for good (contract, section 3). */
@Acceptance
final class GuardrailsVersionsSpec {
  @Test
  void theVersionNamedByAReceiptCanBeReadAfterAPut(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    JsonNode judgedBy = given.api().get(operator.guardrailsPath()).is(200);
    Operator.Plan plan = operator.propose(operator.note("a"));
    given
        .api()
        .put(operator.guardrailsPath(), Operator.guardrailsBody(1, Given.block(Given.NOTE)))
        .is(200);
    long version = plan.receipt(0).path("guardrails_version").asLong();
    JsonNode whole = given.api().get(operator.guardrailsPath() + "/versions/" + version).is(200);
    assertThat(whole.path("guardrails")).isEqualTo(judgedBy.path("guardrails"));
    assertThat(whole.at("/guardrails/0/name").asText())
        .isEqualTo(plan.receipt(0).at("/verdict/rule").asText());
    assertThat(given.api().get(operator.guardrailsPath() + "?version=" + version).is(200))
        .isEqualTo(judgedBy);
  }

  @Test
  void aSetThatChangesTwiceHasThreeVersionsNewestFirst(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Api api = given.api();
    api.put(
            operator.guardrailsPath(),
            Operator.guardrailsBody(1, Given.block(Given.NOTE)).put("note", "Not any more."))
        .is(200);
    ObjectNode patch = Json.object();
    patch.putArray("guardrails");
    api.patch("/v1/operators/" + operator.id(), patch).is(200);
    List<JsonNode> versions = api.get(operator.guardrailsPath() + "/versions").data();
    assertThat(versions.stream().map(each -> each.path("version").asInt()))
        .containsExactly(3, 2, 1);
    assertThat(versions.stream().map(each -> each.path("note").textValue()))
        .containsExactly(null, "Not any more.", null);
    for (JsonNode version : versions) {
      JsonNode whole =
          api.get(operator.guardrailsPath() + "/versions/" + version.path("version").asInt())
              .is(200);
      assertThat(CanonicalJson.sha256(whole.path("guardrails")))
          .isEqualTo(version.path("sha256").asText());
      assertThat(version.at("/created_by/type").asText()).isEqualTo("key");
      assertThat(version.has("guardrails")).isFalse();
    }
    assertThat(
            api.get(operator.guardrailsPath() + "/versions?limit=2")
                .json()
                .path("has_more")
                .asBoolean())
        .isTrue();
  }

  @Test
  void largeSetsAreKeptWhole(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    ObjectNode[] many = new ObjectNode[500];
    for (int at = 0; at < many.length; at++) {
      many[at] = Given.allow(Given.NOTE).put("name", "rule-" + at);
    }
    JsonNode put =
        given.api().put(operator.guardrailsPath(), Operator.guardrailsBody(1, many)).is(200);
    given.api().put(operator.guardrailsPath(), Operator.guardrailsBody(2)).is(200);
    assertThat(
            given.api().get(operator.guardrailsPath() + "/versions/2").is(200).path("guardrails"))
        .isEqualTo(put.path("guardrails"));
  }

  @Test
  void aMissingVersionIs404(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    for (String none : List.of("2", "0", "-1", "01", "x", "99999999999999999999")) {
      given.api().get(operator.guardrailsPath() + "/versions/" + none).isError(404, "not_found");
    }
    given.api().get(operator.guardrailsPath() + "?version=2").isError(404, "not_found");
    given.api().get(operator.guardrailsPath() + "?version=x").isInvalid("version");
    given.anotherTenant().get(operator.guardrailsPath() + "/versions/1").isError(404, "not_found");
    given.anotherTenant().get(operator.guardrailsPath() + "/versions").isError(404, "not_found");
  }

  @Test
  void puttingGuardrailsReportsUnboundFields(Given given) {
    Operator operator = given.operator();
    ObjectNode small = Given.allow(Given.NOTE);
    small.putObject("conditions").put("max_value", 50).put("currency", "usd");
    small
        .putArray("limits")
        .addObject()
        .put("per", "entity")
        .put("window_seconds", 86_400)
        .put("max_actions", 1);
    JsonNode put =
        given.api().put(operator.guardrailsPath(), Operator.guardrailsBody(1, small)).is(200);
    assertThat(put.path("unbound").findValuesAsText("field"))
        .containsExactly("value", "currency", "entity");
    assertThat(put.at("/unbound/0/guardrail").asText()).isEqualTo(small.path("name").asText());
    assertThat(put.at("/unbound/0/tool").asText()).isEqualTo(Given.NOTE);
    JsonNode analyzed =
        given.api().post(operator.guardrailsPath() + "/analyze", Json.object()).is(200);
    assertThat(analyzed.path("unbound")).isEqualTo(put.path("unbound"));
  }

  @Test
  void plannedActionsAreSimulatedUnderOtherGuardrails(Given given) {
    Operator operator = given.operator(Given.alert(Given.NOTE));
    Operator.Plan plan = operator.propose(operator.note("a"), operator.note("b"));
    ObjectNode body = Json.object().put("proposer", "agent");
    plan.actionIds().forEach(body.putArray("action_ids")::add);
    body.putArray("guardrails").add(Given.block(Given.NOTE));
    JsonNode simulated = given.api().post(operator.guardrailsPath() + "/simulate", body).is(200);
    assertThat(simulated.path("verdicts").findValuesAsText("decision"))
        .containsExactly("BLOCK", "BLOCK");
    assertThat(simulated.path("unbound")).isEmpty();
    Operator other = given.operator(Given.alert(Given.NOTE));
    given.api().post(other.guardrailsPath() + "/simulate", body).isInvalid("action_ids[0]");
    body.putArray("action_ids").add("act_nonsense");
    given.api().post(operator.guardrailsPath() + "/simulate", body).isInvalid("action_ids[0]");
    body.putArray("actions").add(operator.note("c"));
    given.api().post(operator.guardrailsPath() + "/simulate", body).isInvalid("action_ids");
    given
        .api()
        .post(operator.guardrailsPath() + "/simulate", Json.object())
        .isError(400, "missing_parameter");
  }
}
