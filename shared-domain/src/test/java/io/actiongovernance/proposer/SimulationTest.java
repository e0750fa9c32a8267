package io.actiongovernance.proposer;

import static io.actiongovernance.operator.OperatorFixture.guardrails;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.ExplainedVerdict;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.LimitUse;
import io.actiongovernance.policy.Per;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.proposer.Simulation.Asked;
import io.actiongovernance.proposer.Simulation.Simulated;
import io.actiongovernance.proposer.Simulation.Subject.Described;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.Reserving;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The verdicts of a proposal, and simulate, which shows them. */
class SimulationTest {
  private static final GuardrailWarnings.Warnings NO_WARNINGS =
      new GuardrailWarnings.Warnings(List.of(), List.of());

  private static final String LIMITED =
      "'name':'small','decision':'ALLOW','tool':'pay.refund',"
          + "'limits':[{'per':'operator','window_seconds':3600,'max_actions':2}]";

  private final OperatorFixture given = new OperatorFixture();

  private List<Evaluation> evaluate(Operator operator, ProposedAction... actions) {
    List<PlannedDraft> drafts =
        Outcomes.done(
            ProposalRules.check(
                operator,
                null,
                OperatorFixture.proposal(actions),
                given.installed,
                KeySource.schedule("key"),
                ProposerKind.SCRIPT));
    return given.evaluateProposal.evaluate(
        given.live, operator.id(), operator.guardrails(), drafts, given.time.instant());
  }

  private Outcome<Simulated> simulate(
      OperatorId id, @Nullable Guardrails guardrails, ProposedAction... actions) {
    return given.simulation.simulate(
        given.caller,
        id,
        new Asked(
            new Described(Arrays.asList(actions)), ProposerKind.SCRIPT, guardrails, null, false));
  }

  private List<ExplainedVerdict> explain(
      OperatorId id, @Nullable Guardrails guardrails, @Nullable Instant at) {
    return Outcomes.done(
            given.simulation.simulate(
                given.caller,
                id,
                new Asked(
                    new Described(List.of(given.refund("1"), given.refund("2"), read())),
                    ProposerKind.SCRIPT,
                    guardrails,
                    at,
                    true)))
        .explanations();
  }

  private ProposedAction read() {
    return given.action("'tool':'pay.read','args':{'order':'1'},'entity_key':'order:1'");
  }

  @Test
  void withoutAGuardrailSideEffectsAreBlockedAndReadsAllowed() {
    List<Evaluation> verdicts = evaluate(given.created(), given.refund("1"), read());
    assertThat(verdicts)
        .containsExactly(
            new Evaluation(new Verdict(Decision.BLOCK, 2, null), null),
            new Evaluation(new Verdict(Decision.ALLOW, 0, "builtin.read_only"), null));
  }

  @Test
  void earlierActionsOfThePlanCountAgainstALimitAndTurnAllowIntoAlert() {
    Operator operator = given.created("refund-desk", "'guardrails':[{" + LIMITED + "}]");
    List<Evaluation> verdicts =
        evaluate(operator, given.refund("1"), read(), given.refund("2"), given.refund("3"));
    assertThat(verdicts.stream().map(one -> one.verdict().decision()))
        .containsExactly(Decision.ALLOW, Decision.ALLOW, Decision.ALLOW, Decision.ALERT);
    Guardrail small = operator.guardrails().list().getFirst();
    assertThat(verdicts.getFirst().limitedBy()).isEmpty();
    assertThat(verdicts.getLast().verdict().rule()).isEqualTo("small");
    assertThat(verdicts.getLast().verdict().limit())
        .isEqualTo(
            new LimitUse(
                Per.OPERATOR,
                LimitUse.Kind.ACTIONS,
                small.limits().getFirst().windowSeconds(),
                null,
                BigDecimal.TWO,
                BigDecimal.TWO,
                null,
                true));
    assertThat(verdicts.getLast().limitedBy()).isEqualTo(small.limits());
  }

  @Test
  void reservedUseCountsAgainstALimit() {
    Operator operator = given.created("refund-desk", "'guardrails':[{" + LIMITED + "}]");
    PlannedDraft draft =
        Outcomes.done(
                ProposalRules.check(
                    operator,
                    null,
                    OperatorFixture.proposal(given.refund("1")),
                    given.installed,
                    KeySource.schedule("key"),
                    ProposerKind.SCRIPT))
            .getFirst();
    Budgets.Called called =
        new Budgets.Called(
            given.live,
            operator.id(),
            operator.guardrails().list().getFirst(),
            draft.candidate(Instant.EPOCH),
            1);
    List<Entry> entries =
        given.budgets.reserve(called, List.of(), List.of()).orElseThrow().entries();
    Transactions transactions = new Transactions(given.store, given.time, new SplittableRandom(1));
    assertThat(new Reserving(transactions).run(List::of, entries).done()).isTrue();
    assertThat(
            evaluate(operator, given.refund("2"), given.refund("3")).stream()
                .map(one -> one.verdict().decision()))
        .containsExactly(Decision.ALLOW, Decision.ALERT);
  }

  @Test
  void aLimitOfAnAlertChangesNothing() {
    Operator operator =
        given.created("refund-desk", "'guardrails':[{" + LIMITED.replace("ALLOW", "ALERT") + "}]");
    assertThat(evaluate(operator, given.refund("1"), given.refund("2"), given.refund("3")))
        .allSatisfy(
            one -> {
              assertThat(one.verdict().decision()).isEqualTo(Decision.ALERT);
              assertThat(one.limitedBy()).isEmpty();
            });
  }

  @Test
  void aSimulationGivesTheVerdictsOfAProposalAndWritesNothing() {
    Operator operator = given.created("refund-desk", "'guardrails':[{" + LIMITED + "}]");
    List<Item> before = everything();
    Outcome<Simulated> outcome =
        simulate(
            operator.id(), null, given.refund("1"), given.refund("2"), given.refund("3"), read());
    List<Verdict> verdicts = Outcomes.done(outcome).verdicts();
    assertThat(verdicts.get(2).decision()).isEqualTo(Decision.ALERT);
    assertThat(verdicts.get(2).limit()).isNotNull();
    assertThat(Outcomes.done(outcome))
        .isEqualTo(
            new Simulated(
                1L,
                List.of(
                    new Verdict(Decision.ALLOW, 2, "small"),
                    new Verdict(Decision.ALLOW, 2, "small"),
                    verdicts.get(2),
                    new Verdict(Decision.ALLOW, 0, "builtin.read_only")),
                NO_WARNINGS,
                List.of()));
    assertThat(everything()).isEqualTo(before);
  }

  private List<Item> everything() {
    return List.of("operator", "operator_roster", "operator_name", "guardrails").stream()
        .flatMap(
            part -> given.store.query(Query.of(Table.STATE, given.live.key(part))).items().stream())
        .toList();
  }

  @Test
  void otherGuardrailsHaveNoVersion() {
    Operator operator = given.created("refund-desk", "'guardrails':[{" + LIMITED + "}]");
    Guardrails other = guardrails("'name':'no','decision':'BLOCK','tool':'*.*'");
    assertThat(Outcomes.done(simulate(operator.id(), other, given.refund("1"), read())))
        .isEqualTo(
            new Simulated(
                null,
                List.of(new Verdict(Decision.BLOCK, 2, "no"), new Verdict(Decision.BLOCK, 0, "no")),
                NO_WARNINGS,
                List.of()));
    assertThat(given.operators.find(given.caller, operator.id()).orElseThrow().guardrailsVersion())
        .isEqualTo(1);
  }

  @Test
  void anExplanationIsMadeOfEachActionIfItIsAskedFor() {
    String limited = LIMITED.replace("'max_actions':2", "'max_actions':1");
    Operator operator = given.created("refund-desk", "'guardrails':[{" + limited + "}]");
    List<ExplainedVerdict> explained = explain(operator.id(), null, null);
    assertThat(explained)
        .extracting(one -> one.recorded().verdict().decision())
        .containsExactly(Decision.ALLOW, Decision.ALERT, Decision.ALLOW);
    assertThat(explained)
        .allSatisfy(
            one -> {
              assertThat(one.guardrailsVersion()).isEqualTo(1);
              assertThat(one.reproduced()).isTrue();
            });
    assertThat(explained.get(1).recorded().limitedBy())
        .isEqualTo(operator.guardrails().list().getFirst().limits());
    assertThat(explained).extracting(one -> one.considered().size()).containsExactly(1, 1, 0);
    Instant then = Instant.parse("2026-12-24T09:00:00Z");
    assertThat(
            explain(operator.id(), guardrails("'name':'no','decision':'BLOCK','tool':'*.*'"), then))
        .allSatisfy(
            one -> {
              assertThat(one.guardrailsVersion()).isNull();
              assertThat(one.at()).isEqualTo(then);
              assertThat(one.considered()).hasSize(1);
            });
    assertThat(Outcomes.done(simulate(operator.id(), null, read())).explanations()).isEmpty();
  }

  @Test
  void anActionThatCannotBeProposedIsRejected() {
    Operator operator = given.created();
    Refusal refusal =
        Outcomes.refusal(
            simulate(operator.id(), null, given.action("'tool':'no.such','entity_key':'e'")));
    assertThat(refusal.path()).isEqualTo("actions[0].tool");
    assertThat(simulate(operator.id(), null)).isInstanceOf(Refused.class);
    assertThat(Outcomes.refusal(simulate(OperatorId.next(given.ids), null, read())))
        .isEqualTo(new Refusal.NotFound("operator"));
  }

  @Test
  void aDraftCanBeSimulated() {
    Operator draft = given.created("draft-desk", "'status':'draft'");
    assertThat(Outcomes.done(simulate(draft.id(), null, read()))).isInstanceOf(Simulated.class);
  }
}
