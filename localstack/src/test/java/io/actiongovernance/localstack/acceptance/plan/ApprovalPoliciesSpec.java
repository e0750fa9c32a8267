package io.actiongovernance.localstack.acceptance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.samples.SoftwareAuthenticator;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.receipt.Signed;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who must approve, and votes (contract for people, sections 2 and 3). */
@Acceptance
final class ApprovalPoliciesSpec {
  private static final String TWO_GROUPS =
      "'all_of':[{'count':1,'groups':['support-leads']},{'count':1,'groups':['finance']}]";

  private static ObjectNode json(String text) {
    return (ObjectNode) Json.read(text.replace('\'', '"'));
  }

  private static Plan held(Given given, String approval) {
    ObjectNode alert = (ObjectNode) Json.read(Json.write(Given.alert(Given.REFUND)));
    alert.set("approval", json("{" + approval + "}"));
    Operator operator = given.operator(alert);
    return operator.propose(operator.refund(Given.unique("ch"), "500.00"));
  }

  @Test
  void twoPeopleOfTwoGroupsSignWithTheirPasskeys(Given given) {
    Human lead = Human.of(given, "Lea", "operate", "support-leads");
    Human payer = Human.of(given, "Fin", "operate", "finance");
    Plan plan = held(given, TWO_GROUPS + ",'method':'passkey'");
    plan.tryApprove().isNotEligible("method");
    lead.approve(plan).isError(403, "signature_required");
    Instant signedIn = lastUsed(given, lead);
    JsonNode voted = lead.sign(plan).is(202);
    assertThat(lastUsed(given, lead)).isAfter(signedIn);
    assertThat(voted.path("status").asText()).isEqualTo("proposed");
    assertThat(voted.at("/approval/requirements"))
        .extracting(each -> each.path("missing").asInt())
        .containsExactly(0, 1);
    JsonNode queued =
        payer.get("/v1/plans?status=proposed&waiting_on=approval&eligible=me").is(200);
    assertThat(queued.at("/data/0/approval/given").asInt()).isEqualTo(1);
    assertThat(queued.at("/data/0/approval/needed").asInt()).isEqualTo(2);
    JsonNode executed = payer.sign(plan).is(200);
    assertThat(executed.path("status").asText()).isEqualTo("executed");
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("decided_by"))
        .extracting(each -> each.path("id").asText())
        .containsExactly(lead.id(), payer.id());
    for (JsonNode decider : receipt.path("decided_by")) {
      assertThat(decider.path("method").asText()).isEqualTo("passkey");
      proves(given, decider, plan);
    }
  }

  private static Instant lastUsed(Given given, Human human) {
    JsonNode person = given.api().get("/v1/people/" + human.id()).is(200);
    return Instant.parse(person.at("/passkeys/0/last_used_at").asText());
  }

  @Test
  void peopleMadeSinceAGuardrailsChangeCannotVote(Given given) {
    String group = Given.unique("group");
    Plan plan =
        held(
            given,
            "'all_of':[{'count':2,'groups':['%s']}],'not_policy_editor_seconds':3600"
                .formatted(group));
    for (String name : List.of("One", "Another")) {
      Human made = Human.of(given, name, "operate", group);
      made.approve(plan).isNotEligible("policy_editor");
    }
    assertThat(plan.now().json().path("status").asText()).isEqualTo("proposed");
    assertThat(given.upstream().calls()).isEmpty();
  }

  /** Asserts that the receipt of a vote proves it. */
  private static void proves(Given given, JsonNode decider, Plan plan) {
    JsonNode vote = given.api().get("/v1/receipts/" + decider.path("receipt_id").asText()).is(200);
    assertThat(vote.path("kind").asText()).isEqualTo("approval");
    assertThat(vote.path("outcome").asText()).isEqualTo("voted");
    JsonNode evidence = vote.path("evidence");
    JsonNode statement = evidence.path("statement");
    assertThat(statement.path("approver")).isEqualTo(decider.path("id"));
    assertThat(statement.at("/selected/0/digest"))
        .isEqualTo(plan.json().at("/actions/0/action_digest"));
    assertThat(
            Signed.holds(
                evidence, CanonicalJson.sha256("approval.v1\n" + CanonicalJson.of(statement))))
        .isTrue();
  }

  @Test
  void aForeignUnverifiedOrReusedSignatureIsRefused(Given given) {
    Human lead = Human.of(given, "Lea", "operate", "support-leads");
    Plan plan = held(given, "'all_of':[{'count':2}],'method':'passkey'");
    String approve = plan.path() + "/approve";
    SoftwareAuthenticator passkey = lead.passkey();
    for (SoftwareAuthenticator other :
        List.of(
            passkey.onPageOf("https://evil.example"),
            passkey.boundTo("evil.example"),
            passkey.withoutVerification())) {
      lead.post(approve, Human.signed(lead.challenge(plan), other))
          .isError(422, "signature_invalid");
    }
    JsonNode challenge = lead.challenge(plan);
    ObjectNode signed = Human.signed(challenge, passkey);
    lead.post(approve, signed.deepCopy().put("note", "something else"))
        .isError(409, "approval_stale");
    lead.post(approve, signed).is(202);
    lead.post(approve, signed).isError(409, "challenge_used");
    Human other = Human.of(given, "Ola", "operate");
    other.post(approve, signed).isError(409, "challenge_used");
    JsonNode stands = lead.get(plan.path() + "/approval").is(200);
    assertThat(stands.path("votes")).hasSize(1);
    assertThat(lead.delete(plan.path() + "/approval/vote").is(200).path("votes")).isEmpty();
  }

  @Test
  void aKeyCannotVoteAndAPersonVotesOnlyAsThemselves(Given given) {
    Human lead = Human.of(given, "Lea", "operate", "support-leads");
    Human other = Human.of(given, "Ola", "operate");
    Plan plan = held(given, "'all_of':[{'groups':['support-leads']}]");
    plan.tryApprove().isNotEligible("method");
    other.approve(plan).isNotEligible("group");
    lead.post(plan.path() + "/approve", json("{'approver':'the CFO'}")).isInvalid("approver");
    lead.post(plan.path() + "/veto", json("{'reason':'no','vetoed_by':'the CFO'}"))
        .isInvalid("vetoed_by");
    JsonNode stands = other.get(plan.path() + "/approval").is(200);
    assertThat(stands.at("/you/eligible").asBoolean()).isFalse();
    assertThat(stands.at("/you/reason").asText()).isEqualTo("group");
    JsonNode executed = lead.approve(plan).is(200);
    assertThat(executed.path("approver").asText()).isEqualTo("Lea");
  }

  @Test
  void anAlertWithoutAPolicyUsesItsTiersDefault(Given given) {
    JsonNode none = given.api().get("/v1/approval_defaults").is(200);
    assertThat(none.at("/tiers/2").isNull()).isTrue();
    given.api().patch("/v1/approval_defaults", json("{'tiers':{'7':{}}}")).isInvalid("tiers.7");
    JsonNode changed =
        given
            .api()
            .patch("/v1/approval_defaults", json("{'tiers':{'2':{'method':'session'}}}"))
            .is(200);
    assertThat(changed.at("/tiers/2/method").asText()).isEqualTo("session");
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund(Given.unique("ch"), "500.00"));
    plan.tryApprove().isNotEligible("method");
    given.api().patch("/v1/approval_defaults", json("{'tiers':{'2':null}}")).is(200);
    // What was proposed before keeps its policy.
    plan.tryApprove().isNotEligible("method");
    Human.of(given, "Ola", "operate").approve(plan).is(200);
  }

  @Test
  void theIngesterOfAProposalsEventCannotApprove(Given given) {
    Api shop = given.apiOfScopes("events:write", "plans:approve");
    ObjectNode alert = Given.alert(Given.REFUND);
    alert.set("approval", json("{'method':'key'}"));
    Operator operator = given.operator(alert);
    ObjectNode told = Json.object().put("source", "shop").put("event_type", "desk.asked");
    told.putObject("payload");
    String event = shop.post("/v1/events", told).is(201).path("event_id").asText();
    ObjectNode body = Operator.proposal(operator.refund(Given.unique("ch"))).put("event_id", event);
    String plans = "/v1/operators/" + operator.id() + "/plans";
    JsonNode plan = operator.proposer().post(plans, body).is(201);
    assertThat(plan.at("/proposed_by/triggered_by").isNull()).isTrue();
    String approve = "/v1/plans/" + plan.path("id").asText() + "/approve";
    shop.post(approve, Json.object()).isNotEligible("self_approval");
    given.apiOfScopes("plans:approve").post(approve, Json.object()).is(200);
  }

  @Test
  void analysisReportsLooserAndUnsatisfiableApprovals(Given given) {
    ObjectNode block = json("{'name':'no','decision':'BLOCK','tool':'shop.*','approval':{}}");
    ObjectNode body = Json.object().put("name", Given.unique("desk"));
    body.putArray("guardrails").add(block);
    given.api().post("/v1/operators", body).isInvalid("guardrails[0].approval");
    ObjectNode alert = (ObjectNode) Json.read(Json.write(Given.alert(Given.REFUND)));
    alert.set("approval", json("{" + TWO_GROUPS + "}"));
    Operator operator = given.operator(alert);
    ObjectNode looser = alert.deepCopy();
    looser.set("approval", json("{'method':'session'}"));
    ObjectNode asked = Json.object();
    asked.putArray("guardrails").add(looser);
    JsonNode analysis =
        given.api().post("/v1/operators/" + operator.id() + "/guardrails/analyze", asked).is(200);
    assertThat(analysis.at("/permits_more/0/approval_before/all_of")).hasSize(2);
    asked.withArray("guardrails").removeAll().add(alert);
    JsonNode same =
        given.api().post("/v1/operators/" + operator.id() + "/guardrails/analyze", asked).is(200);
    assertThat(same.path("permits_more")).isEmpty();
    assertThat(same.at("/unsatisfiable_approval/0/groups"))
        .extracting(JsonNode::asText)
        .containsExactly("support-leads", "finance");
  }
}
