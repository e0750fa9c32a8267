package io.actiongovernance.proposer;

import static io.actiongovernance.operator.OperatorFixture.proposal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.policy.ProposerKind;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProposalRulesTest {
  private final OperatorFixture given = new OperatorFixture();
  private final Operator operator = given.created();

  private Outcome<List<PlannedDraft>> check(
      Operator by, @Nullable Event event, ProposedAction... actions) {
    return ProposalRules.check(
        by,
        event,
        proposal(actions),
        given.installed,
        KeySource.schedule("key"),
        ProposerKind.SCRIPT);
  }

  private PlannedDraft accepted(ProposedAction action) {
    return accepted(check(operator, null, action));
  }

  private static PlannedDraft accepted(Outcome<List<PlannedDraft>> vetted) {
    return Outcomes.done(vetted).getFirst();
  }

  private static String rejected(Outcome<List<PlannedDraft>> vetted) {
    return String.valueOf(Outcomes.refusal(vetted).path());
  }

  private static final String GOOD =
      "'tool':'pay.refund','args':{'order':'1'},'entity_key':'order:1'";

  @Test
  void aValidActionIsPlannedUnchanged() {
    PlannedDraft draft =
        accepted(
            given.action(
                "'tool':'pay.refund','args':{'order':'1','amount':4.90},'value':'4.90',"
                    + "'entity_key':'order:1','idempotency_key':'refund-1'"));
    assertThat(draft.connector()).isSameAs(given.payments);
    assertThat(draft.tool().name()).isEqualTo("pay.refund");
    assertThat(draft.args()).isEqualTo(OperatorFixture.json("{'order':'1','amount':4.90}"));
    assertThat(draft.facts().value()).isEqualTo(new BigDecimal("4.90"));
    assertThat(draft.facts().entityKey()).isEqualTo(new EntityKey("order:1"));
    assertThat(draft.idempotencyKey()).isEqualTo("refund-1");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "tool|'tool':'pay.nothing','args':{'order':'1'},'entity_key':'e'",
        "tool|'tool':'PAY.REFUND','args':{'order':'1'},'entity_key':'e'",
        "args|'tool':'pay.refund','entity_key':'e'",
        "args|'tool':'pay.refund','args':{},'entity_key':'e'",
        "args|'tool':'pay.refund','args':{'order':1},'entity_key':'e'",
        "args|'tool':'pay.refund','args':{'order':'1','unknown':2},'entity_key':'e'",
        "value|'tool':'pay.refund','args':{'order':'1'},'entity_key':'e','value':'many'",
        "value|'tool':'pay.refund','args':{'order':'1'},'entity_key':'e','value':true",
        "value|'tool':'pay.refund','args':{'order':'1'},'entity_key':'e','value':'1e3'",
        "value|'tool':'pay.refund','args':{'order':'1'},'entity_key':'e','value':''",
        "value|'tool':'pay.refund','args':{'order':'1'},'entity_key':'e','value':[1]",
        "entity_key|'tool':'pay.refund','args':{'order':'1'}",
        "entity_key|'tool':'pay.refund','args':{'order':'1'},'entity_key':''",
        "entity_key|'tool':'pay.refund','args':{'order':'1'},'entity_key':'  '",
        "entity_key|'tool':'pay.refund','args':{'order':'1'},'entity_key':'a\\u0000b'",
        "entity_key|'tool':'pay.refund','args':{'order':'1'},'entity_key':'a\\u202eb'",
        "idempotency_key|'tool':'pay.refund','args':{'order':'1'},'entity_key':'e','idempotency_key':''",
        "idempotency_key|'tool':'pay.refund','args':{'order':'1'},'entity_key':'e','idempotency_key':'a\\nb'"
      })
  void oneBadFieldIsNamedAndRejectsTheWholePlan(String field, String action) {
    assertThat(rejected(check(operator, null, given.action(action))))
        .isEqualTo("actions[0]." + field);
    assertThat(rejected(check(operator, null, given.action(GOOD), given.action(action))))
        .isEqualTo("actions[1]." + field);
  }

  @Test
  void fieldsThatAModelOmitsOrGetsWrongAreNamed() {
    String connector = given.payments.id().value();
    ObjectNode args = OperatorFixture.json("{'order':'1'}");
    assertThat(
            rejected(
                check(
                    operator,
                    null,
                    new ProposedAction(null, "pay.refund", args, null, null, "e", null))))
        .isEqualTo("actions[0].connector");
    assertThat(
            rejected(
                check(
                    operator,
                    null,
                    new ProposedAction("payments", "pay.refund", args, null, null, "e", null))))
        .isEqualTo("actions[0].connector");
    assertThat(
            rejected(
                check(
                    operator,
                    null,
                    new ProposedAction(connector, null, args, null, null, "e", null))))
        .isEqualTo("actions[0].tool");
    assertThat(
            rejected(
                check(
                    operator,
                    null,
                    new ProposedAction(
                        connector, "pay.refund", TextNode.valueOf("x"), null, null, "e", null))))
        .isEqualTo("actions[0].args");
  }

  @Test
  void keysHaveUpTo255Characters() {
    for (String field : List.of("entity_key", "idempotency_key")) {
      String other = field.equals("entity_key") ? "'idempotency_key':'i'" : "'entity_key':'e'";
      String action = "'tool':'pay.refund','args':{'order':'1'}," + other + ",'" + field + "':'";
      accepted(given.action(action + "é".repeat(255) + "'"));
      assertThat(rejected(check(operator, null, given.action(action + "é".repeat(256) + "'"))))
          .isEqualTo("actions[0]." + field);
    }
  }

  @Test
  void aPlanHas1To50Actions() {
    ProposedAction action = given.action(GOOD);
    assertThat(check(operator, null)).isInstanceOf(Refused.class);
    assertThat(
            check(operator, null, Collections.nCopies(50, action).toArray(ProposedAction[]::new)))
        .isInstanceOf(Done.class);
    assertThat(
            rejected(
                check(
                    operator,
                    null,
                    Collections.nCopies(51, action).toArray(ProposedAction[]::new))))
        .isEqualTo("actions");
  }

  @Test
  void aPlanHasUpTo256KilobytesReasoningIncluded() {
    String order = "x".repeat(130_000);
    ProposedAction big = given.refund("1");
    ObjectNode args = OperatorFixture.json("{'order':'" + order + "'}");
    ProposedAction half =
        new ProposedAction(big.connector(), big.tool(), args, null, null, "e", null);
    assertThat(check(operator, null, half, half)).isInstanceOf(Done.class);
    assertThat(rejected(check(operator, null, half, half, half))).isEqualTo("actions[2].args");
    Proposal.Proposed wordy = new Proposal.Proposed("y".repeat(10_000), List.of(half, half));
    assertThat(
            ProposalRules.check(
                operator,
                null,
                wordy,
                given.installed,
                KeySource.schedule("key"),
                ProposerKind.SCRIPT))
        .isInstanceOf(Refused.class);
  }

  @Test
  void argumentsHaveUpTo90Levels() {
    ProposedAction model = given.refund("1");
    assertThat(check(operator, null, withArgs(model, nested(90)))).isInstanceOf(Done.class);
    assertThat(rejected(check(operator, null, withArgs(model, nested(91)))))
        .isEqualTo("actions[0].args");
    assertThat(rejected(check(operator, null, withArgs(model, nested(5000)))))
        .isEqualTo("actions[0].args");
  }

  private static ProposedAction withArgs(ProposedAction action, JsonNode args) {
    return new ProposedAction(action.connector(), action.tool(), args, null, null, "e", null);
  }

  private static ObjectNode nested(int levels) {
    JsonNode inner = TextNode.valueOf("x");
    for (int level = 1; level < levels; level++) {
      inner = Json.object().arrayNode().add(inner);
    }
    ObjectNode args = Json.object().put("order", "1");
    args.set("more", inner);
    return args;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "-1", "4.90", "'4.90'", "1e3", "123456789012345678901234567890.123456789"})
  void aValueIsTakenToTheLastDigit(String value) {
    PlannedDraft draft = accepted(given.action(GOOD + ",'value':" + value));
    assertThat(draft.facts().value()).isEqualByComparingTo(new BigDecimal(value.replace("'", "")));
  }

  @Test
  void aConnectorOutsideTheOperatorsWorkspaceIsUnknown() {
    Connector europe = given.connector("eu", OperatorFixture.tool("pay.refund", "pay", 2));
    given.installed.add(europe);
    ProposedAction action =
        new ProposedAction(
            europe.id().value(),
            "pay.refund",
            OperatorFixture.json("{'order':'1'}"),
            null,
            null,
            "e",
            null);
    Operator european = given.created("eu-desk", "'workspace_id':'eu'");
    Operator american = given.created("us-desk", "'workspace_id':'us'");
    assertThat(check(european, null, action)).isInstanceOf(Done.class);
    assertThat(check(european, null, given.action(GOOD)))
        .as("tenant-wide")
        .isInstanceOf(Done.class);
    assertThat(rejected(check(american, null, action))).isEqualTo("actions[0].connector");
    assertThat(rejected(check(operator, null, action))).isEqualTo("actions[0].connector");
  }

  @Test
  void onlyToolsOfTheOperatorsCapabilitiesAreWithinItsReach() {
    Operator reader = given.created("read-desk", "'capabilities':['look']");
    assertThat(rejected(check(reader, null, given.action(GOOD)))).isEqualTo("actions[0].tool");
    assertThat(check(reader, null, given.action(GOOD.replace("refund", "read"))))
        .isInstanceOf(Done.class);
  }

  @Test
  void theEntityTemplateFillsInAMissingEntityKey() {
    Operator templated = given.created("order-desk", "'entity_template':'order:{{payload.id}}'");
    Event event = given.event("order.paid", "{'id':1042}");
    ProposedAction action = given.action("'tool':'pay.refund','args':{'order':'1'}");
    assertThat(accepted(check(templated, event, action)).facts().entityKey())
        .isEqualTo(new EntityKey("order:1042"));
    assertThat(accepted(check(templated, event, given.action(GOOD))).facts().entityKey())
        .isEqualTo(new EntityKey("order:1"));
    assertThat(rejected(check(templated, given.event("order.paid", "{}"), action)))
        .isEqualTo("actions[0].entity_key");
    assertThat(rejected(check(templated, null, action))).isEqualTo("actions[0].entity_key");
    Event huge = given.event("order.paid", "{'id':'" + "x".repeat(300) + "'}");
    assertThat(rejected(check(templated, huge, action))).isEqualTo("actions[0].entity_key");
  }

  @Test
  void aDerivedKeyIsStableAndDiffersForDifferentActions() {
    Operator other = given.created("other-desk", "");
    ProposedAction action = given.action(GOOD);
    Set<String> keys = new HashSet<>();
    for (Operator by : List.of(operator, other)) {
      for (String proposalKey : List.of("ev_1", "ev_2")) {
        for (ProposedAction one :
            List.of(action, given.refund("2"), given.action(GOOD.replace("refund", "read")))) {
          List<PlannedDraft> vetted =
              Outcomes.done(
                  ProposalRules.check(
                      by,
                      null,
                      proposal(one, one),
                      given.installed,
                      KeySource.schedule(proposalKey),
                      ProposerKind.SCRIPT));
          assertThat(
                  ProposalRules.check(
                      by,
                      null,
                      proposal(one, one),
                      given.installed,
                      KeySource.schedule(proposalKey),
                      ProposerKind.SCRIPT))
              .isEqualTo(Outcome.done(vetted));
          vetted.forEach(draft -> keys.add(draft.idempotencyKey()));
        }
      }
    }
    assertThat(keys).hasSize(2 * 2 * 3 * 2);
  }

  @Test
  void aDerivedKeyDoesNotDependOnHowArgumentsAreWritten() {
    ProposedAction one =
        given.action("'tool':'pay.refund','args':{'order':'1','amount':1.50},'entity_key':'e'");
    ProposedAction same =
        given.action("'tool':'pay.refund','args':{'amount':1.5,'order':'1'},'entity_key':'e'");
    assertThat(accepted(one).idempotencyKey()).isEqualTo(accepted(same).idempotencyKey());
  }
}
