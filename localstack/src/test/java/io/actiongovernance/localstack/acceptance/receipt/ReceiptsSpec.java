package io.actiongovernance.localstack.acceptance.receipt;

import static io.actiongovernance.localstack.acceptance.fixture.Api.encode;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Canonical;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The receipt ledger (specification, Receipts; contract, section 6). */
@Acceptance
final class ReceiptsSpec {
  @Test
  void aReceiptHasExactlyItsFieldsAndNamesItsAncestors(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    JsonNode event = given.event("order.created", Json.object().put("id", 1));
    JsonNode planned =
        given
            .proposer()
            .post(
                "/v1/operators/" + operator.id() + "/plans",
                Operator.proposal(operator.refund("a", "42"))
                    .put("event_id", event.path("id").asText()))
            .is(201);
    Plan plan = new Plan(given.api(), planned);
    Answer approval =
        given
            .api()
            .post(plan.path() + "/approve", Json.object().put("approver", "dana").put("note", "n"));
    approval.is(200);
    JsonNode receipt = Shape.RECEIPT.of(plan.receipt(0));
    JsonNode action = plan.json().at("/actions/0");
    assertThat(receipt.path("id").asText()).matches("rc_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(receipt.path("object").asText()).isEqualTo("receipt");
    assertThat(receipt.path("kind").asText()).isEqualTo("action");
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(receipt.path("event_id")).isEqualTo(event.path("id"));
    assertThat(receipt.path("plan_id").asText()).isEqualTo(plan.id());
    assertThat(receipt.path("action_id").asText()).isEqualTo(plan.actionId(0));
    assertThat(receipt.path("operator_id").asText()).isEqualTo(operator.id());
    assertThat(receipt.path("correlation_id")).isEqualTo(event.path("correlation_id"));
    assertThat(receipt.path("request_id").asText()).isEqualTo(approval.header("X-Request-Id"));
    for (String same :
        List.of("connector", "tool", "entity_key", "idempotency_key", "value", "action_digest")) {
      assertThat(receipt.path(same)).describedAs(same).isEqualTo(action.path(same));
    }
    ObjectNode verdict = action.path("verdict").deepCopy();
    verdict.remove("limit");
    assertThat(receipt.path("verdict")).as("a limit that did not decide").isEqualTo(verdict);
    assertThat(receipt.path("disposition").asText()).isEqualTo("ALERT");
    assertThat(receipt.path("guardrails_version").asInt()).isEqualTo(1);
    assertThat(receipt.path("ok").asBoolean()).isTrue();
    assertThat(receipt.path("approver").asText()).isEqualTo("dana");
    assertThat(receipt.path("note").asText()).isEqualTo("n");
    assertThat(receipt.path("upstream_reference").asText()).startsWith("re_");
    assertThat(receipt.path("billable").asBoolean()).isTrue();
    for (String unset : List.of("workspace_id", "error", "reason", "undo_of")) {
      assertThat(receipt.path(unset).isNull()).describedAs(unset).isTrue();
    }
  }

  @Test
  void theHashIsThatOfTheCanonicalFormWithoutTheHash(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan =
        operator.propose(
            operator.refund("a", "0042.500"),
            operator.action(Given.DELETE, "record:ü", Json.object().put("record", "1")));
    for (int position = 0; position < 2; position++) {
      ObjectNode receipt = plan.receipt(position).deepCopy();
      String hash = receipt.remove("hash").asText();
      assertThat(hash).isEqualTo(Canonical.sha256(receipt));
    }
  }

  @Test
  void theActionDigestCoversTheActionAndItsTenant(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a", "10.00"), operator.refund("b"));
    String tenant = given.event("desk.asked", Json.object()).path("tenant_id").asText();
    for (int position = 0; position < 2; position++) {
      JsonNode action = plan.json().path("actions").path(position);
      ObjectNode bound = Json.object().put("tenant_id", tenant).put("operator_id", operator.id());
      for (String field :
          List.of(
              "connector",
              "tool",
              "tool_digest",
              "args",
              "currency",
              "entity_key",
              "idempotency_key")) {
        bound.set(field, action.path(field));
      }
      bound.set("value", action.path("value").isMissingNode() ? null : action.path("value"));
      assertThat(action.path("action_digest").asText()).isEqualTo(Canonical.sha256(bound));
    }
  }

  @Test
  void everythingThatHappensToAnActionIsReceipted(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    given.upstream().next("/refunds/fails", new Upstream.Behaviour.Fail(400));
    given.upstream().next("/refunds/lost", new Upstream.Behaviour.ActAndDrop());
    ObjectNode again = operator.refund("again");
    Plan plan =
        operator.propose(
            operator.refund("fails"),
            operator.refund("lost"),
            again,
            again.deepCopy(),
            operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")),
            operator.note("skipped"));
    ObjectNode body = Json.object();
    plan.actionIds().subList(0, 5).forEach(body.putArray("action_ids")::add);
    given.api().post(plan.path() + "/approve", body).is(200);
    operator.propose(operator.refund("vetoed")).tryVeto("No.").is(200);
    assertOutcomes(given, operator, "applied", true, 1);
    for (String outcome :
        List.of("failed", "unknown", "deduplicated", "refused", "skipped", "vetoed")) {
      assertOutcomes(given, operator, outcome, false, 1);
    }
    assertOutcomes(given, operator, "expired", false, 0);
    assertThat(given.api().get("/v1/receipts?operator_id=" + operator.id()).data()).hasSize(7);
  }

  private static void assertOutcomes(
      Given given, Operator operator, String outcome, boolean billable, int count) {
    List<JsonNode> receipts =
        given.api().get("/v1/receipts?outcome=" + outcome + "&operator_id=" + operator.id()).data();
    assertThat(receipts).describedAs(outcome).hasSize(count);
    assertThat(receipts)
        .allSatisfy(
            receipt -> {
              Shape.RECEIPT.of(receipt);
              assertThat(receipt.path("outcome").asText()).isEqualTo(outcome);
              assertThat(receipt.path("billable").asBoolean()).isEqualTo(billable);
            });
  }

  @Test
  void aReceiptOfARefusalNamesTheRuleOrItsAbsence(Given given) {
    Operator operator = given.operator(Given.block(Given.REFUND), Given.allow(Given.NOTE));
    Plan plan =
        operator.propose(
            operator.refund("a"),
            operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")),
            operator.note("n"));
    assertThat(plan.receipt(0).at("/verdict/rule").asText()).isEqualTo("block-pay-refund-create");
    JsonNode without = plan.receipt(1);
    assertThat(without.at("/verdict/rule").isNull()).isTrue();
    assertThat(without.at("/verdict/tier").asInt()).isEqualTo(3);
    assertThat(without.path("disposition").asText()).isEqualTo("BLOCK");
    assertThat(without.path("ok").asBoolean()).isFalse();
    assertThat(without.path("error").asText()).isEqualTo("blocked by trust policy");
    assertThat(without.path("upstream_reference").isNull()).isTrue();
  }

  @Test
  void theReceiptsOfAProposalAreFoundByItsRequestId(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Answer proposal = operator.tryPropose(operator.note("a"), operator.note("b"));
    proposal.is(201);
    String path = "/v1/receipts?request_id=" + proposal.header("X-Request-Id");
    assertThat(given.api().get(path).data()).hasSize(2);
  }

  @Test
  void aReceiptIsTheSameInItsRetrievalAndTheList(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Plan plan = operator.propose(operator.note("a"));
    JsonNode listed = given.api().get("/v1/receipts?plan_id=" + plan.id()).data().getFirst();
    assertThat(plan.receipt(0)).isEqualTo(listed);
  }

  @Test
  void receiptsAreListedNewestFirstAndPaged(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    List<String> newestFirst = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      Plan plan = operator.propose(operator.note("n" + number));
      newestFirst.addFirst(plan.action(0).path("receipt_id").asText());
    }
    Lists.hold(given.api(), "/v1/receipts?operator_id=" + operator.id(), newestFirst);
  }

  @Test
  void everyFilterExcludesReceiptsThatDoNotMatch(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE), Given.alert(Given.REFUND));
    Operator other = given.operator(Given.allow(Given.NOTE));
    String entity = Given.unique("n");
    Plan first = operator.propose(operator.note(entity));
    Plan second = operator.propose(operator.refund("x"), operator.note(entity));
    second.tryVeto("No.").is(200);
    Plan third = other.propose(other.note(entity));
    String one = first.receipt(0).path("id").asText();
    String two = second.receipt(0).path("id").asText();
    String three = second.receipt(1).path("id").asText();
    String four = third.receipt(0).path("id").asText();
    Api api = given.api();
    String base = "/v1/receipts?";
    String of = base + "operator_id=" + operator.id();
    Lists.hold(api, of + "&outcome=applied", List.of(one));
    Lists.hold(api, of + "&outcome=vetoed", List.of(three, two));
    Lists.hold(api, base + "plan_id=" + second.id(), List.of(three, two));
    Lists.hold(api, base + "action_id=" + second.actionId(1), List.of(three));
    Lists.hold(api, base + "entity=" + encode(entity), List.of(four, three, one));
    Lists.hold(api, base + "entity=" + encode(entity) + "&outcome=vetoed", List.of(three));
    String correlation = third.json().path("correlation_id").asText();
    Lists.hold(api, base + "correlation_id=" + correlation, List.of(four));
    String written = third.receipt(0).path("written_at").asText();
    String both = base + "entity=" + encode(entity);
    Lists.hold(api, both + "&since=" + written, List.of(four));
    Lists.hold(api, both + "&until=" + written, List.of(three, one));
  }

  @Test
  void receiptsAreFilteredByTheirEvent(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    String event = given.event("order.created", Json.object()).path("id").asText();
    ObjectNode body = Operator.proposal(operator.note("n")).put("event_id", event);
    Plan plan =
        new Plan(
            given.api(),
            given.api().post("/v1/operators/" + operator.id() + "/plans", body).is(201));
    operator.propose(operator.note("n"));
    Lists.hold(
        given.api(),
        "/v1/receipts?event_id=" + event,
        List.of(plan.action(0).path("receipt_id").asText()));
  }

  @Test
  void aCursorIsBoundToTheFiltersAndTheRoute(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    operator.propose(operator.note("a"), operator.note("b"), operator.note("c"));
    Lists.bindCursors(
        given.api(),
        "/v1/receipts?operator_id=" + operator.id(),
        "&outcome=applied",
        "/v1/actions?operator_id=" + operator.id());
  }

  @Test
  void theListRefusesUnknownParametersAndValues(Given given) {
    Lists.refuseNonsense(given.api(), "/v1/receipts");
    for (String name :
        List.of(
            "outcome",
            "kind",
            "request_id",
            "plan_id",
            "action_id",
            "event_id",
            "operator_id",
            "correlation_id")) {
      given.api().get("/v1/receipts?" + name + "=nonsense").isInvalid(name);
    }
  }

  @Test
  void nobodyWritesReceiptsOverTheApi(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Plan plan = operator.propose(operator.note("a"));
    JsonNode receipt = plan.receipt(0);
    String path = "/v1/receipts/" + receipt.path("id").asText();
    given.api().post("/v1/receipts", Json.object()).isError(404, "not_found");
    for (String method : List.of("PUT", "PATCH", "DELETE", "POST")) {
      Answer refused = given.api().send(method, path, "{}");
      refused.isError(404, "not_found");
      assertThat(refused.header("Allow")).isEqualTo("GET");
    }
    given
        .api()
        .post(
            "/v1/keys",
            Json.object()
                .put("name", Given.unique("key"))
                .set("scopes", Json.read("[\"receipts:write\"]")))
        .isInvalid("scopes[0]");
    assertThat(plan.receipt(0)).isEqualTo(receipt);
  }

  @Test
  void aMissingOrForeignReceiptIs404(Given given) {
    given.api().get("/v1/receipts/rc_00000000000000000000000000").isError(404, "not_found");
    given.api().get("/v1/receipts/nonsense").isError(404, "not_found");
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Plan plan = operator.propose(operator.note("a"));
    String path = "/v1/receipts/" + plan.action(0).path("receipt_id").asText();
    given.testApi().get(path).isError(404, "not_found");
    Api other = given.anotherTenant();
    other.get(path).isError(404, "not_found");
    assertThat(other.get("/v1/receipts").data())
        .extracting(receipt -> receipt.at("/target/type").asText())
        .as("of its own limits and ticket alone")
        .containsExactlyInAnyOrder("limits", "ticket");
    Api pinned =
        given.apiWith(Json.object().put("role", "admin").put("workspace_id", Given.unique("w")));
    pinned.get(path).isError(404, "not_found");
    assertThat(pinned.get("/v1/receipts?kind=action").data()).isEmpty();
  }

  @Test
  void readingReceiptsNeedsItsScope(Given given) {
    given.apiOfRole("ingest").get("/v1/receipts").isError(403, "insufficient_scope");
  }
}
