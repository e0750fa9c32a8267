package io.actiongovernance.proposer;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.operator.Operators.UsableConnectors;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.ExplainedVerdict;
import io.actiongovernance.policy.ExplainedVerdict.Recorded;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.proposer.GuardrailWarnings.Warnings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the verdicts if the operator proposed these actions as one plan, under its own
 * guardrails or others (contract, section 4). It uses the rules of a real proposal, including
 * current limits. Writes nothing. Thread-safe.
 */
public final class Simulation {
  /** Stands for the proposal in derived idempotency keys, which are never shown. */
  private static final KeySource NO_PROPOSAL = KeySource.schedule("simulation");

  private final Operators operators;
  private final Actions planned;
  private final UsableConnectors connectors;
  private final EvaluateProposal evaluateProposal;
  private final InstantSource clock;

  /**
   * @param planned the actions that were proposed before
   */
  public Simulation(
      Operators operators,
      Actions planned,
      UsableConnectors connectors,
      EvaluateProposal evaluateProposal,
      InstantSource clock) {
    this.operators = operators;
    this.planned = planned;
    this.connectors = connectors;
    this.evaluateProposal = evaluateProposal;
    this.clock = clock;
  }

  /**
   * Simulated verdicts of the actions.
   *
   * @param guardrailsVersion the operator's; null under other guardrails
   * @param verdicts in the order of the actions
   * @param warnings to the author of the guardrails
   * @param explanations of the verdicts, in their order; empty unless asked for
   */
  public record Simulated(
      @Nullable Long guardrailsVersion,
      List<Verdict> verdicts,
      Warnings warnings,
      List<ExplainedVerdict> explanations) {
    public Simulated {
      verdicts = List.copyOf(verdicts);
      explanations = List.copyOf(explanations);
    }
  }

  /**
   * Simulation that a caller asks for.
   *
   * @param by whose word the fields are that no argument binds; planned actions keep their own
   *     proposer's
   * @param guardrails guardrails to use instead of the operator's, or null
   * @param at when the actions would be proposed; null for now
   * @param explain whether to explain the verdicts
   */
  public record Asked(
      Subject subject,
      ProposerKind by,
      @Nullable Guardrails guardrails,
      @Nullable Instant at,
      boolean explain) {}

  public sealed interface Subject {
    /** Actions that could be proposed. */
    record Described(List<ProposedAction> actions) implements Subject {}

    /** Actions that the operator proposed before, as they were planned. */
    record Planned(List<ActionId> ids) implements Subject {
      public static final int MOST = 50;
    }
  }

  /** Simulates the actions; refuses those that could not be proposed. */
  public Outcome<Simulated> simulate(Caller caller, OperatorId id, Asked asked) {
    Operator operator = operators.find(caller, id).orElse(null);
    if (operator == null) {
      return Outcome.refused(new Refusal.NotFound("operator"));
    }
    List<Connector> usable = connectors.usable(operator.partition(), operator.workspaceId());
    Outcome<List<PlannedDraft>> checked =
        switch (asked.subject()) {
          case Subject.Described(List<ProposedAction> described) ->
              ProposalRules.check(
                  operator,
                  null,
                  new Proposal.Proposed(null, described),
                  usable,
                  NO_PROPOSAL,
                  asked.by());
          case Subject.Planned(List<ActionId> ids) -> planned(operator, ids, usable);
        };
    return checked.map(drafts -> simulated(operator, asked, drafts, usable));
  }

  private Simulated simulated(
      Operator operator, Asked asked, List<PlannedDraft> drafts, List<Connector> usable) {
    Guardrails other = asked.guardrails();
    Guardrails under = other == null ? operator.guardrails() : other;
    Long version = other == null ? operator.guardrailsVersion() : null;
    Instant at = asked.at() == null ? clock.instant() : asked.at();
    List<Evaluation> evaluations =
        evaluateProposal.evaluate(operator.partition(), operator.id(), under, drafts, at);
    List<ExplainedVerdict> explanations = new ArrayList<>();
    for (int index = 0; asked.explain() && index < drafts.size(); index++) {
      Evaluation evaluation = evaluations.get(index);
      explanations.add(
          ExplainedVerdict.of(
              version,
              at,
              Recorded.atProposal(evaluation.verdict(), evaluation.limitedBy()),
              Optional.of(under.explain(drafts.get(index).candidate(at)))));
    }
    return new Simulated(
        version,
        evaluations.stream().map(Evaluation::verdict).toList(),
        GuardrailWarnings.of(operator, under, usable),
        explanations);
  }

  private Outcome<List<PlannedDraft>> planned(
      Operator operator, List<ActionId> ids, List<Connector> usable) {
    Map<ActionId, Action> found =
        planned.findAll(operator.partition(), ids.stream().distinct().toList()).stream()
            .filter(action -> action.terms().operatorId().equals(operator.id()))
            .collect(Collectors.toMap(Action::id, Function.identity()));
    List<PlannedDraft> drafts = new ArrayList<>();
    for (int at = 0; at < ids.size(); at++) {
      String param = "action_ids[" + at + "]";
      Action action = found.get(ids.get(at));
      if (action == null) {
        return Outcome.refused(
            new Refusal.Invalid(param, param + " is not an action of the operator."));
      }
      Optional<PlannedDraft> draft =
          usable.stream()
              .filter(connector -> connector.id().equals(action.terms().connector()))
              .findFirst()
              .flatMap(connector -> again(connector, action.terms()));
      if (draft.isEmpty()) {
        return Outcome.refused(
            new Refusal.Invalid(param, param + " is an action of a tool that no longer exists."));
      }
      drafts.add(draft.get());
    }
    return Outcome.done(drafts);
  }

  /** Drafts an action as it was planned, with the assertions recorded then. */
  private static Optional<PlannedDraft> again(Connector connector, Action.Terms terms) {
    return connector
        .tool(terms.tool())
        .map(
            tool ->
                new PlannedDraft(
                    connector, tool, terms.args(), terms.facts(), terms.idempotencyKey()));
  }
}
