package io.actiongovernance.localstack.acceptance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Who proposed and who decided, as the service itself knows it, whatever a request says (contract,
 * section 6, Principals), and that nobody approves what they proposed (section 4).
 */
@Acceptance
final class PrincipalsSpec {
  private static final Duration LONGEST = Duration.ofSeconds(45);

  /** A key, as principals name it, and the API with it. */
  private record Key(Api api, String id, String name) {
    static Key of(Given given, String name, ObjectNode fields) {
      ObjectNode body = fields.deepCopy().put("name", Given.unique(name));
      JsonNode made = given.api().post("/v1/keys", body).is(201);
      return new Key(
          given.api().as(made.path("secret").asText()),
          made.path("id").asText(),
          made.path("name").asText());
    }

    static Key ofRole(Given given, String name, String role) {
      return of(given, name, Json.object().put("role", role));
    }

    JsonNode principal() {
      return Json.object().put("type", "key").put("id", id).put("name", name);
    }

    /** The one decider in a list is this key. */
    void hasDecided(JsonNode decidedBy, @Nullable String claimedAs) {
      assertThat(decidedBy).hasSize(1);
      JsonNode decider = Shape.DECIDER.of(decidedBy.path(0));
      for (String field : List.of("type", "id", "name")) {
        assertThat(decider.path(field)).isEqualTo(principal().path(field));
      }
      assertThat(decider.path("verified").asBoolean()).isFalse();
      assertThat(decider.path("claimed_as").textValue()).isEqualTo(claimedAs);
      assertThat(decider.path("method").asText()).isEqualTo("key");
      assertThat(decider.path("at").asText()).endsWith("Z");
    }
  }

  private static Plan proposed(Api by, Operator operator, ObjectNode... actions) {
    String path = "/v1/operators/" + operator.id() + "/plans";
    return new Plan(operator.api(), by.post(path, Operator.proposal(actions)).is(201));
  }

  /** An operator whose script proposes to refund what an event of the type names. */
  private static Operator scripted(Given given, String type, ObjectNode... guardrails) {
    ObjectNode fields = Json.object();
    fields.putObject("triggers").putArray("event_types").add(type);
    fields
        .putObject("model")
        .put("provider", "scripted")
        .set(
            "plans",
            Json.read(
                """
                [{"event_type":"order.*","actions":[
                   {"connector":"$CONNECTOR","tool":"pay.refund.create",
                    "entity_key":"charge:{{payload.id}}","args":{"charge":"{{payload.id}}"}}]}]
                """
                    .replace("$CONNECTOR", given.connector())));
    return given.operatorWith(fields, guardrails);
  }

  private static String type() {
    return "order.t" + Given.unique("x").replace("-", "");
  }

  private static JsonNode ingest(Api by, String type) {
    ObjectNode body = Json.object().put("source", "shop").put("event_type", type);
    body.putObject("payload").put("id", Given.unique("ch"));
    return by.post("/v1/events", body).is(201);
  }

  private static Plan planOf(Given given, Operator operator, int number) {
    String list = "/v1/plans?operator_id=" + operator.id();
    List<String> ids =
        Await.until(LONGEST, () -> given.api().get(list).ids(), found -> found.size() == number);
    return new Plan(given.api(), given.api().get("/v1/plans/" + ids.getFirst()).is(200));
  }

  private static JsonNode by(Operator operator, JsonNode triggeredBy) {
    ObjectNode proposedBy = Json.object().put("type", "operator").put("id", operator.id());
    JsonNode name = operator.api().get("/v1/operators/" + operator.id()).is(200).path("name");
    proposedBy.set("name", name);
    proposedBy.set("triggered_by", triggeredBy);
    return proposedBy;
  }

  private static JsonNode receipt(Given given, JsonNode result, String field) {
    return given.api().get("/v1/receipts/" + result.at(field).asText()).is(200);
  }

  @Test
  void planApprovalAndReceiptsNameTheKeyThatApproved(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.block(Given.DELETE));
    ObjectNode deletion =
        operator.action(Given.DELETE, "record:1", Json.object().put("record", "1"));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"), deletion);
    Key cron = Key.ofRole(given, "nightly-cron", "operate");
    ObjectNode body = Json.object().put("approver", "cfo@acme.example").put("note", "Fine.");
    body.putArray("action_ids").add(plan.actionId(0)).add(plan.actionId(2));
    Answer answer = cron.api().post(plan.path() + "/approve", body);
    JsonNode result = answer.is(200);
    String approvalId = result.path("approval_id").asText();

    JsonNode now = plan.now().json();
    assertThat(now.path("approver").asText()).isEqualTo("cfo@acme.example");
    assertThat(now.path("approval_id").asText()).isEqualTo(approvalId);
    cron.hasDecided(now.path("decided_by"), "cfo@acme.example");
    for (int position = 0; position < 3; position++) {
      JsonNode receipt = Shape.RECEIPT.of(plan.receipt(position));
      assertThat(receipt.path("approver").asText()).isEqualTo("cfo@acme.example");
      assertThat(receipt.path("approval_id").asText()).isEqualTo(approvalId);
      assertThat(receipt.path("decided_by")).isEqualTo(now.path("decided_by"));
      assertThat(receipt.path("proposed_by")).isEqualTo(now.path("proposed_by"));
    }
    JsonNode approval = Shape.APPROVAL.of(given.api().get("/v1/approvals/" + approvalId).is(200));
    assertThat(approval.path("id").asText()).matches("apr_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(approval.path("object").asText()).isEqualTo("approval");
    assertThat(approval.path("plan_id").asText()).isEqualTo(plan.id());
    assertThat(approval.path("approver").asText()).isEqualTo("cfo@acme.example");
    assertThat(approval.path("note").asText()).isEqualTo("Fine.");
    assertThat(approval.path("decided_by")).isEqualTo(now.path("decided_by"));
    assertThat(approval.path("request_id").asText()).isEqualTo(answer.header("X-Request-Id"));
    assertThat(approval.path("workspace_id").isNull()).isTrue();
    assertThat(approval.path("approved_at").asText()).endsWith("Z");
    assertThat(approval.path("skipped")).isEqualTo(result.path("skipped")).hasSize(1);
    assertThat(approval.path("actions")).hasSize(2);
    for (int place = 0; place < 2; place++) {
      JsonNode approved = Shape.APPROVED.of(approval.path("actions").path(place));
      JsonNode action = plan.json().path("actions").path(2 * place);
      assertThat(approved.path("action_id")).isEqualTo(action.path("id"));
      assertThat(approved.path("action_digest")).isEqualTo(action.path("action_digest"));
    }
  }

  @Test
  void nobodyApprovesWhatTheyProposedNotEvenAnAdmin(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = proposed(given.api(), operator, operator.refund("a"));
    JsonNode error =
        given.api().post(plan.path() + "/approve").isError(403, "approver_not_eligible");
    assertThat(error.path("type").asText()).isEqualTo("permission_error");
    assertThat(error.path("details")).isEqualTo(Json.object().put("reason", "self_approval"));
    ObjectNode as = Json.object().put("approver", "cfo@acme.example");
    given.api().post(plan.path() + "/approve", as).isError(403, "approver_not_eligible");
    JsonNode now = plan.now().json();
    assertThat(now).isEqualTo(plan.json());
    assertThat(now.path("status").asText()).isEqualTo("proposed");
    assertThat(now.path("waiting_on").asText()).isEqualTo("approval");
    assertThat(now.path("decided_by").isNull()).isTrue();
    assertThat(given.upstream().calls()).isEmpty();

    Key other = Key.ofRole(given, "console", "operate");
    other.api().post(plan.path() + "/approve").is(200);
    other.hasDecided(plan.now().json().path("decided_by"), null);
    // Who is not eligible learns that first, whatever has become of the plan.
    given.api().post(plan.path() + "/approve").isError(403, "approver_not_eligible");
    other.api().post(plan.path() + "/approve").isError(409, "state_conflict");
  }

  @Test
  void theMakerOfTheProposersKeyMayApprove(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode scopes = Json.object();
    scopes.putArray("scopes").add("plans:propose");
    Key agent = Key.of(given, "agent", scopes);
    Plan plan = proposed(agent.api(), operator, operator.refund("a"));
    ObjectNode proposedBy = (ObjectNode) agent.principal();
    proposedBy.putNull("triggered_by");
    assertThat(plan.json().path("proposed_by")).isEqualTo(proposedBy);
    given.api().post(plan.path() + "/approve").is(200);
    assertThat(plan.receipt(0).path("proposed_by")).isEqualTo(proposedBy);
  }

  @Test
  void anAgentsProposalForAnEventNamesOnlyTheAgent(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Key shop = Key.ofRole(given, "shop", "ingest");
    String event = ingest(shop.api(), type()).path("id").asText();
    ObjectNode body = Operator.proposal(operator.refund("a")).put("event_id", event);
    String path = "/v1/operators/" + operator.id() + "/plans";
    JsonNode plan = given.proposer().post(path, body).is(201);
    assertThat(plan.at("/proposed_by/type").asText()).isEqualTo("key");
    assertThat(plan.at("/proposed_by/triggered_by").isNull()).isTrue();
  }

  @Test
  void aScriptsProposalIsTheOperatorsAndTheIngesterMayApproveIt(Given given) {
    String type = type();
    Operator operator = scripted(given, type, Given.alert(Given.REFUND));
    Key shop = Key.ofRole(given, "shop", "operate");
    JsonNode event = ingest(shop.api(), type);
    assertThat(event.toString()).doesNotContain(shop.id());
    Plan plan = planOf(given, operator, 1);
    JsonNode expected = by(operator, shop.principal());
    assertThat(plan.json().path("proposed_by")).isEqualTo(expected);
    JsonNode item = given.api().get("/v1/plans?operator_id=" + operator.id()).data().getFirst();
    assertThat(item.path("proposed_by")).isEqualTo(expected);

    shop.api().post(plan.path() + "/approve").is(200);
    shop.hasDecided(plan.now().json().path("decided_by"), null);
    assertThat(plan.receipt(0).path("proposed_by")).isEqualTo(expected);
    shop.hasDecided(plan.receipt(0).path("decided_by"), null);

    // Asked for once more, it is still for who ingested the event.
    ObjectNode again = Json.object().put("event_id", event.path("id").asText());
    given.api().post("/v1/operators/" + operator.id() + "/repropose", again).is(202);
    assertThat(planOf(given, operator, 2).json().path("proposed_by")).isEqualTo(expected);
  }

  @Test
  void anUnheldPlanHasNoDecider(Given given) {
    String type = type();
    Operator operator = scripted(given, type, Given.allow(Given.REFUND));
    ingest(given.api(), type);
    Plan plan = planOf(given, operator, 1).await("executed");
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.at("/proposed_by/id").asText()).isEqualTo(operator.id());
    assertThat(plan.json().path("approval_id").isNull()).isTrue();
    for (JsonNode where : List.of(plan.json(), receipt)) {
      assertThat(where.path("decided_by").isNull()).isTrue();
      assertThat(where.path("approval_id").isNull()).isTrue();
    }
  }

  @Test
  void aRefusedProposalNamesItsProposer(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode action = operator.refund("a");
    ((ObjectNode) action.path("args")).put("unknown", 1);
    Key agent = Key.ofRole(given, "agent", "admin");
    String path = "/v1/operators/" + operator.id() + "/plans";
    agent.api().post(path, Operator.proposal(action)).isError(400, "invalid_parameter");
    String refused = "/v1/receipts?outcome=refused&operator_id=" + operator.id();
    JsonNode receipt = given.api().get(refused).data().getFirst();
    assertThat(receipt.path("kind").asText()).isEqualTo("proposal");
    assertThat(receipt.at("/proposed_by/id").asText()).isEqualTo(agent.id());
    assertThat(receipt.path("decided_by").isNull()).isTrue();
  }

  @Test
  void aVetoNamesTheKeyAndHasNoApprover(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    Key cron = Key.ofRole(given, "nightly-cron", "operate");
    ObjectNode body = Json.object().put("reason", "No.").put("vetoed_by", "cfo@acme.example");
    JsonNode result = cron.api().post(plan.path() + "/veto", body).is(200);
    JsonNode now = plan.now().json();
    for (JsonNode where : List.of(result, now)) {
      assertThat(where.path("vetoed_by").asText()).isEqualTo("cfo@acme.example");
      assertThat(where.path("vetoed_by_principal")).isEqualTo(cron.principal());
    }
    cron.hasDecided(now.path("decided_by"), "cfo@acme.example");
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("approver").isNull()).isTrue();
    assertThat(receipt.path("approval_id").isNull()).isTrue();
    assertThat(receipt.path("decided_by")).isEqualTo(now.path("decided_by"));
    assertThat(receipt.path("proposed_by")).isEqualTo(now.path("proposed_by"));
  }

  @Test
  void aProposerMayVetoTheirPlan(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = proposed(given.api(), operator, operator.refund("a"));
    plan.tryVeto("A mistake.").is(200);
    assertThat(plan.now().status()).isEqualTo("vetoed");
  }

  @Test
  void anExpiredPlanHasNoDecider(Given given) {
    Operator operator =
        given.operatorWith(Json.object().put("plan_ttl_seconds", 5), Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a")).await("expired");
    assertThat(plan.json().path("decided_by").isNull()).isTrue();
    assertThat(plan.receipt(0).path("decided_by").isNull()).isTrue();
    assertThat(plan.receipt(0).path("proposed_by")).isEqualTo(plan.json().path("proposed_by"));
  }

  @Test
  void anUndoNamesItsRequesterAndTheOriginalsProposer(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a")).await("executed");
    Key cron = Key.ofRole(given, "nightly-cron", "operate");
    ObjectNode body = Json.object().put("undone_by", "cfo@acme.example");
    String path = "/v1/actions/" + plan.actionId(0) + "/undo";
    JsonNode result = cron.api().postPatiently(path, body).is(200);
    assertThat(result.path("undone_by").asText()).isEqualTo("cfo@acme.example");
    assertThat(result.path("undone_by_principal")).isEqualTo(cron.principal());
    JsonNode receipt = receipt(given, result, "/undo_receipt_id");
    assertThat(receipt.path("approver").asText()).isEqualTo("cfo@acme.example");
    cron.hasDecided(receipt.path("decided_by"), "cfo@acme.example");
    assertThat(receipt.path("proposed_by")).isEqualTo(plan.json().path("proposed_by"));
    assertThat(receipt.path("approval_id").isNull()).isTrue();
  }

  @Test
  void anApprovalWhoseActionsNeverRanIsKept(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    operator.guardrails(Given.block(Given.REFUND));
    plan.tryApprove().isError(422, "policy_blocked");
    String id = plan.now().json().path("approval_id").asText();
    JsonNode approval = given.api().get("/v1/approvals/" + id).is(200);
    assertThat(approval.at("/actions/0/action_id").asText()).isEqualTo(plan.actionId(0));
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("refused");
    assertThat(plan.receipt(0).path("approval_id").asText()).isEqualTo(id);
  }

  @Test
  void anApprovalThatDidNotClaimItsPlanLeavesNoRecord(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan holder = operator.propose(operator.refund("a"));
    Plan plan = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Together.Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    plan.tryApprove().isError(409, "entity_locked");
    JsonNode now = plan.now().json();
    assertThat(now.path("approval_id").isNull()).isTrue();
    assertThat(now.path("decided_by").isNull()).isTrue();
    gate.open();
    holding.result().is(200);
  }

  @Test
  void approvalsAreReadWithThePlansScopeInTheirTenantAndWorkspace(Given given) {
    String workspace = Given.unique("ws");
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", workspace));
    Operator inside =
        given.operatorOf(
            pinned, given.install(pinned, workspace), Json.object(), Given.alert(Given.REFUND));
    Operator outside = given.operator(Given.alert(Given.REFUND));
    String own = approval(given, inside.propose(inside.refund("a")));
    String tenantWide = approval(given, outside.propose(outside.refund("b")));
    Api reader = given.apiOfScopes("plans:read");
    assertThat(reader.get(own).is(200).path("workspace_id").asText()).isEqualTo(workspace);
    reader.get(tenantWide).is(200);
    pinned.get(own).is(200);
    pinned.get(tenantWide).isError(404, "not_found");
    given
        .apiWith(Json.object().put("role", "admin").put("workspace_id", Given.unique("ws")))
        .get(own)
        .isError(404, "not_found");
    given.testApi().get(own).isError(404, "not_found");
    given.anotherTenant().get(own).isError(404, "not_found");
    given.apiOfRole("ingest").get(own).isError(403, "insufficient_scope");
    given.api().get("/v1/approvals/apr_00000000000000000000000000").isError(404, "not_found");
    given.api().get("/v1/approvals/" + outside.id()).isError(404, "not_found");
  }

  private static String approval(Given given, Plan plan) {
    JsonNode result = given.api().postPatiently(plan.path() + "/approve", Json.object()).is(200);
    return "/v1/approvals/" + result.path("approval_id").asText();
  }
}
