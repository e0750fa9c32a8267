package io.actiongovernance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Role;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.RetrieveExplanation.Explained;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.ExplainedVerdict;
import io.actiongovernance.policy.Explanation;
import io.actiongovernance.policy.Explanation.Considered;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Per;
import io.actiongovernance.policy.Truth;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Contract for the policy lab, section 6: the verdicts of an action, evaluated again. */
final class RetrieveExplanationTest {
  private static final String REFUNDS = "'tool':'sandbox.payment.refund'";

  private final LoopFixture fixture = new LoopFixture(new InMemoryStore());

  private Outcome<Explained> retrieve(Caller caller, ActionId action) {
    return fixture.loop.reading().retrieveExplanation().retrieve(caller, action);
  }

  private Explained explained(Action action) {
    return Outcomes.done(retrieve(fixture.caller, action.id()));
  }

  private ExplainedVerdict execution(Action action) {
    return Objects.requireNonNull(explained(action).execution());
  }

  private Operator desk(String... guardrails) {
    return put(fixture.operator("desk", ""), guardrails);
  }

  /** The operator under other guardrails. */
  private Operator put(Operator operator, String... guardrails) {
    return OperatorFixture.done(
        fixture.operators.putGuardrails(
            fixture.caller,
            operator.id(),
            OperatorFixture.guardrails(guardrails),
            operator.guardrailsVersion(),
            null,
            fixture.connectors.ids.next()));
  }

  private Plan held(Operator operator) {
    return fixture.propose(operator, fixture.refund("1", 500));
  }

  private Receipt receipt(Action action) {
    return fixture.receipts().stream()
        .filter(one -> action.id().value().equals(one.text("action_id")))
        .findFirst()
        .orElseThrow();
  }

  private static List<Truth> held(ExplainedVerdict explained, int at) {
    return explained.considered().get(at).conditions().stream()
        .map(Explanation.Condition::held)
        .toList();
  }

  private String between(Duration from, Duration until) {
    Instant now = fixture.time.instant();
    return "'conditions':{'within':{'between':[{'from':'%s','until':'%s'}]}}"
        .formatted(Timestamps.format(now.plus(from)), Timestamps.format(now.plus(until)));
  }

  @Test
  void anActionThatRanAsProposedHasAProposalAlone() {
    Plan plan = fixture.propose(fixture.refund("1", 5));
    fixture.deliver();
    Action action = fixture.action(plan, 0);
    Explained explained = explained(action);
    assertThat(explained.actionId()).isEqualTo(action.id());
    assertThat(explained.execution()).isNull();
    ExplainedVerdict proposal = explained.proposal();
    assertThat(proposal.guardrailsVersion()).isEqualTo(1);
    assertThat(proposal.at()).isEqualTo(action.proposedAt());
    assertThat(proposal.recorded().verdict()).isEqualTo(action.terms().verdict());
    assertThat(proposal.reproduced()).isTrue();
    assertThat(proposal.considered())
        .extracting(Considered::guardrail)
        .containsExactly("small", "large");
    assertThat(held(proposal, 0)).containsExactly(Truth.HOLDS, Truth.HOLDS);
  }

  @Test
  void anOpenPlanAndAVetoedOneChangedNothing() {
    Plan plan = held(fixture.operator);
    Action action = fixture.action(plan, 0);
    assertThat(explained(action).execution()).isNull();
    Outcomes.done(
        fixture
            .loop
            .executing()
            .vetoPlan()
            .veto(fixture.caller, plan.id(), fixture.connectors.ids.next(), "No.", null));
    Explained vetoed = explained(action);
    assertThat(vetoed.execution()).isNull();
    assertThat(vetoed.proposal().recorded().verdict().rule()).isEqualTo("large");
    assertThat(vetoed.proposal().reproduced()).isTrue();
  }

  @Test
  void guardrailsThatChangedAreExplainedByBothVersions() {
    Plan plan = held(fixture.operator);
    put(fixture.operator, "'name':'none','decision':'BLOCK'," + REFUNDS);
    fixture.approve(plan);
    fixture.deliver();
    Action action = fixture.action(plan, 0);
    Explained explained = explained(action);
    assertThat(explained.proposal().guardrailsVersion()).isEqualTo(1);
    assertThat(explained.proposal().recorded().verdict().decision()).isEqualTo(Decision.ALERT);
    assertThat(explained.proposal().reproduced()).isTrue();
    ExplainedVerdict execution = execution(action);
    assertThat(execution.guardrailsVersion()).isEqualTo(2);
    assertThat(execution.at()).isEqualTo(receipt(action).id().madeAt());
    assertThat(execution.recorded().verdict()).isEqualTo(new Verdict(Decision.BLOCK, 2, "none"));
    assertThat(execution.reproduced()).isTrue();
    assertThat(execution.considered())
        .containsExactly(new Considered("none", Decision.BLOCK, true, List.of()));
  }

  @Test
  void anActionThatRunsOutsideItsWindowIsExplainedAtTheInstantOfItsReceipt() {
    Operator desk =
        desk(
            "'name':'open','decision':'ALLOW',%s,%s"
                .formatted(REFUNDS, between(Duration.ZERO, Duration.ofMinutes(5))));
    Plan plan = fixture.propose(desk, fixture.refund("1", 5));
    fixture.time.pass(Duration.ofMinutes(5));
    Instant executed = fixture.time.instant();
    fixture.deliver();
    Action action = fixture.action(plan, 0);
    assertThat(receipt(action).text("reason")).isEqualTo(Verdict.OUTSIDE_WINDOW);
    assertThat(receipt(action).text("evaluated_at")).isEqualTo(Timestamps.format(executed));
    Explained explained = explained(action);
    assertThat(explained.proposal().reproduced()).isTrue();
    assertThat(held(explained.proposal(), 0)).containsExactly(Truth.HOLDS);
    ExplainedVerdict execution = execution(action);
    assertThat(execution.at()).isEqualTo(Timestamps.read(Timestamps.format(executed)));
    assertThat(execution.guardrailsVersion()).isEqualTo(2);
    assertThat(execution.recorded().verdict().reason()).isEqualTo(Verdict.OUTSIDE_WINDOW);
    assertThat(execution.reproduced()).isTrue();
    assertThat(held(execution, 0)).containsExactly(Truth.FAILS);
  }

  @Test
  void aLimitThatRefusedTheExecutionIsLeftAside() {
    String limited =
        "'name':'one','decision':'ALLOW',%s,'limits':[{'per':'operator','window_seconds':3600,'max_actions':1}]"
            .formatted(REFUNDS);
    Operator desk = desk(limited);
    Plan first = fixture.propose(desk, fixture.refund("1", 5));
    Plan second = fixture.propose(desk, fixture.refund("2", 5));
    fixture.deliver();
    List<Limit> limits = List.of(new Limit(Per.OPERATOR, 3_600, 1L, null));
    Action ran = fixture.action(first, 0);
    Action refused = fixture.action(second, 0);
    assertThat(explained(ran).execution()).isNull();
    ExplainedVerdict execution = execution(refused);
    assertThat(execution.recorded().limitedBy()).isEqualTo(limits);
    assertThat(execution.reproduced()).isTrue();
    Plan third = fixture.propose(desk, fixture.refund("3", 5));
    ExplainedVerdict proposal = explained(fixture.action(third, 0)).proposal();
    assertThat(proposal.recorded().verdict().decision()).isEqualTo(Decision.ALERT);
    assertThat(proposal.recorded().limitedBy()).isEqualTo(limits);
    assertThat(proposal.reproduced()).isTrue();
  }

  @Test
  void aVerdictThatNoGuardrailGaveIsNotReproduced() {
    Plan plan = held(fixture.operator);
    Key connector = Connectors.key(fixture.sandbox.partition(), fixture.sandbox.id());
    fixture.store.write(Write.delete(connector, Condition.always()));
    fixture.approve(plan);
    fixture.deliver();
    ExplainedVerdict execution = execution(fixture.action(plan, 0));
    assertThat(execution.recorded().verdict().reason()).isEqualTo(Verdict.TOOL_CHANGED);
    assertThat(execution.reproduced()).isFalse();
    assertThat(execution.considered()).isNotEmpty();
  }

  @Test
  void anUndoIsExplainedAsTheInverseOfTheOriginal() {
    Operator desk =
        desk(
            "'name':'refunds','decision':'ALLOW'," + REFUNDS,
            "'name':'cancel','decision':'ALERT','tool':'sandbox.payment.cancel_refund'");
    Plan plan = fixture.propose(desk, fixture.refund("1", 5));
    fixture.deliver();
    Action undo = Outcomes.done(fixture.undo(fixture.action(plan, 0))).undo();
    ExplainedVerdict proposal = explained(undo).proposal();
    assertThat(proposal.guardrailsVersion()).isEqualTo(2);
    assertThat(proposal.at()).isEqualTo(undo.id().madeAt());
    assertThat(proposal.reproduced()).isTrue();
    assertThat(proposal.considered())
        .containsExactly(
            new Considered("refunds", Decision.ALLOW, true, List.of()),
            new Considered("cancel", Decision.ALERT, true, List.of()));
  }

  private Key version(Operator operator, String part) {
    return new Key(
        Table.STATE,
        operator.partition().key(part),
        "%s#%019d".formatted(operator.id(), operator.guardrailsVersion()));
  }

  private void assertUnread(Action action) {
    ExplainedVerdict proposal = explained(action).proposal();
    assertThat(proposal.reproduced()).isFalse();
    assertThat(proposal.considered()).isEmpty();
    assertThat(proposal.recorded().verdict()).isEqualTo(action.terms().verdict());
  }

  @Test
  void aVersionThatCannotBeReadConsidersNothing() {
    Operator desk =
        desk(
            "'name':'open','decision':'ALERT',%s,'conditions':{'within':{'zone':'Europe/Berlin','weekly':[{'days':['mon','tue','wed','thu','fri','sat','sun'],'from':'00:00','to':'24:00'}]}}"
                .formatted(REFUNDS));
    Action action = fixture.action(held(desk), 0);
    assertThat(explained(action).proposal().reproduced()).isTrue();
    Key key = version(desk, "guardrails-version");
    Item stored = fixture.store.get(key).orElseThrow();
    Item.Builder later = Item.at(key).with("operator", desk.id().value()).with("version", 2);
    String unknown = stored.text("guardrails").replace("Europe/Berlin", "Europe/Atlantis");
    fixture.store.write(Write.put(later.packed("guardrails", unknown).build(), Condition.always()));
    assertUnread(action);
    fixture.store.write(
        Write.put(Item.at(key).packed("guardrails", "[{").build(), Condition.always()));
    assertUnread(action);
    fixture.store.write(Write.delete(key, Condition.always()));
    assertUnread(action);
    assertThat(explained(action).proposal().guardrailsVersion()).isEqualTo(2);
  }

  @Test
  void largeGuardrailsAreReadFromTheirOwnItem() {
    String large =
        "'name':'large','decision':'ALERT',%s,'conditions':{'args':[{'path':'/order','op':'not_in','value':['%s']}]}"
            .formatted(REFUNDS, "x".repeat(30_000));
    Operator desk = desk(large);
    Action action = fixture.action(held(desk), 0);
    assertThat(explained(action).proposal().reproduced()).isTrue();
    fixture.store.write(Write.delete(version(desk, "guardrails"), Condition.always()));
    assertUnread(action);
  }

  @Test
  void aLostPlanOrReceiptLeavesTheVersionUnknown() {
    Plan plan = held(fixture.operator);
    put(fixture.operator, "'name':'none','decision':'BLOCK'," + REFUNDS);
    fixture.approve(plan);
    fixture.deliver();
    Action action = fixture.action(plan, 0);
    InMemoryStore store = (InMemoryStore) fixture.store;
    store.everything().stream()
        .map(Item::key)
        .filter(
            key ->
                key.table() == Table.RECEIPTS
                    || (key.range().equals(plan.id().value()) && key.table() == Table.STATE))
        .forEach(key -> store.write(Write.delete(key, Condition.always())));
    assertUnread(action);
    assertThat(explained(action).proposal().guardrailsVersion()).isNull();
    ExplainedVerdict execution = execution(action);
    assertThat(execution.guardrailsVersion()).isNull();
    assertThat(execution.at()).isEqualTo(Objects.requireNonNull(action.disposal()).disposedAt());
    assertThat(execution.reproduced()).isFalse();
  }

  private Caller boundTo(OperatorId operator) {
    return new Caller(
        fixture.caller.requestId(),
        fixture.caller.partition(),
        null,
        new Credential.Key(KeyId.next(fixture.connectors.ids), "a key", null),
        Role.AGENT.scopes(),
        null,
        Set.of(operator));
  }

  @Test
  void anActionOfAnotherOperatorIsUnknownToABoundKey() {
    Action action = fixture.action(held(fixture.operator), 0);
    assertThat(Outcomes.done(retrieve(boundTo(fixture.operator.id()), action.id())).execution())
        .isNull();
    OperatorId other = fixture.operator("other", "").id();
    Refusal unknown = new Refusal.NotFound("action");
    assertThat(Outcomes.refusal(retrieve(boundTo(other), action.id()))).isEqualTo(unknown);
    assertThat(Outcomes.refusal(retrieve(fixture.caller, ActionId.next(fixture.connectors.ids))))
        .isEqualTo(unknown);
  }
}
