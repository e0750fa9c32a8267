package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Binding;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Summary;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.policy.ActionDigest;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Verdict;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the action that is to undo another: the inverse as its connector has it now, evaluated by
 * the guardrails as they are now. Nothing is stored of it. Thread-safe.
 */
public final class DraftUndo {
  private final Operators operators;
  private final Connectors connectors;
  private final Budgets budgets;
  private final InstantSource clock;

  public DraftUndo(
      Operators operators, Connectors connectors, Budgets budgets, InstantSource clock) {
    this.operators = operators;
    this.connectors = connectors;
    this.budgets = budgets;
    this.clock = clock;
  }

  /**
   * Drafts the undo of an action that applied.
   *
   * @param proposedBy who proposed it
   */
  Outcome<Action> draft(
      Caller caller, UndoAction.Request request, Action original, ProposedBy proposedBy) {
    Action.Inverse inverse =
        Objects.requireNonNull(Objects.requireNonNull(original.disposal()).inverse());
    Optional<Connector> connector =
        connectors.find(original.partition(), original.terms().connector());
    Optional<Tool> tool = connector.flatMap(one -> one.tool(inverse.tool()));
    if (tool.isEmpty()) {
      return impossible("The connector, or its inverse tool, is no longer there.");
    }
    ObjectNode args = inverse.args();
    if (args == null) {
      return impossible("The source system's answer to the action lacks what its inverse needs.");
    }
    Optional<Facts> facts = Binding.bindInverse(tool.get(), args, original.terms().facts());
    if (facts.isEmpty()) {
      return impossible("The inverse names another entity than the action's.");
    }
    Inverse bound = new Inverse(connector.get(), tool.get(), args, facts.get());
    return undoAction(caller, request, original, proposedBy, bound);
  }

  /** The call that takes an action back, as its connector has it now. */
  private record Inverse(Connector connector, Tool tool, ObjectNode args, Facts facts) {
    String toolDigest() {
      return ToolDigest.of(connector, tool);
    }

    Candidate candidate() {
      return new Candidate(
          connector.id(), tool.name(), tool.tier(), connector.isRead(tool), args, facts);
    }
  }

  private Outcome<Action> undoAction(
      Caller caller,
      UndoAction.Request request,
      Action original,
      ProposedBy proposedBy,
      Inverse inverse) {
    Action.Terms terms = original.terms();
    Action.Disposal disposal = Objects.requireNonNull(original.disposal());
    // Its guardrail counts for the inverse that was declared when the action was disposed, alone.
    boolean declared =
        inverse.toolDigest().equals(Objects.requireNonNull(disposal.inverse()).toolDigest());
    String originalRule = declared ? disposal.verdict().rule() : null;
    Optional<Operator> operator = operators.find(original.partition(), terms.operatorId());
    Evaluation evaluation =
        operator
            .map(owner -> evaluate(owner, inverse.candidate(), originalRule))
            .orElseGet(
                () ->
                    new Evaluation(new Verdict(Decision.BLOCK, inverse.tool().tier(), null), null));
    if (asksForApproval(evaluation)) {
      // No undo goes round an approval: whoever wants it proposes the inverse, as anything else.
      return impossible(
          "The guardrail "
              + evaluation.verdict().rule()
              + " asks for an approval of the inverse: propose it as a plan.");
    }
    String undoneBy = request.undoneBy();
    Action.Undoing undoing =
        new Action.Undoing(
            original.id(),
            undoneBy == null ? caller.name() : undoneBy,
            Decider.by(caller.principal(), undoneBy, clock.instant()),
            proposedBy,
            request.reason(),
            caller.requestId(),
            originalRule,
            operator.map(Operator::guardrailsVersion).orElse(0L),
            blocked(evaluation.verdict()) ? null : Allowance.Part.NONE);
    return Outcome.done(
        new Action(
            request.undoId(), original.partition(), terms(original, inverse, evaluation, undoing)));
  }

  private static boolean asksForApproval(Evaluation evaluation) {
    Guardrail guardrail = evaluation.guardrail();
    return evaluation.verdict().decision() == Decision.ALERT
        && guardrail != null
        && guardrail.approval() != null;
  }

  private Evaluation evaluate(
      Operator operator, Candidate candidate, @Nullable String originalRule) {
    return budgets.underLimits(
        operator.partition(),
        operator.id(),
        ExecutionPolicy.evaluateUndo(operator, candidate, originalRule),
        candidate,
        List.of());
  }

  private static Action.Terms terms(
      Action original, Inverse inverse, Evaluation evaluation, Action.Undoing undoing) {
    Action.Terms terms = original.terms();
    String key = UndoKey.of(original);
    String tool = inverse.tool().name();
    String toolDigest = inverse.toolDigest();
    return new Action.Terms(
        terms.planId(),
        terms.position(),
        terms.operatorId(),
        terms.eventId(),
        terms.correlationId(),
        terms.workspaceId(),
        terms.connector(),
        tool,
        toolDigest,
        inverse.candidate().read(),
        inverse.args(),
        Summary.of(inverse.tool(), inverse.args()),
        inverse.facts(),
        key,
        evaluation.verdict(),
        evaluation.limitedBy(),
        ActionDigest.of(
            original.partition().tenant(),
            terms.operatorId(),
            terms.connector(),
            tool,
            toolDigest,
            inverse.args(),
            inverse.facts(),
            key),
        undoing,
        terms.trace(),
        null);
  }

  private static boolean blocked(Verdict verdict) {
    return verdict.decision() == Decision.BLOCK;
  }

  private static Outcome<Action> impossible(String why) {
    return Outcome.refused(new Refusal.NotUndoable(why));
  }
}
