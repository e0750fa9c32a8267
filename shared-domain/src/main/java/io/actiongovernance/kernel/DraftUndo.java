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
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.policy.ActionDigest;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.Verdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Drafts the action that undoes another: the inverse as its connector has it now, evaluated by the
 * current guardrails. If the deciding guardrail has an approval policy, the undo belongs to a plan
 * that will be held; otherwise it runs at once (contract for people, section 2). Stores nothing.
 * Thread-safe.
 */
public final class DraftUndo {
  private final Connectors connectors;
  private final Budgets budgets;
  private final InstantSource clock;

  public DraftUndo(Connectors connectors, Budgets budgets, InstantSource clock) {
    this.connectors = connectors;
    this.budgets = budgets;
    this.clock = clock;
  }

  /**
   * Undo to draft.
   *
   * @param original an action that is {@link Action#undoable}
   * @param proposedBy who proposed the original's plan
   * @param basis the current state by which the undo is judged
   */
  record Asked(
      Caller caller,
      UndoAction.Request request,
      Action original,
      ProposedBy proposedBy,
      ClaimPlan.Basis basis) {
    /** Returns the identifier of its plan, for an undo that will be held. */
    PlanId plan() {
      return basis.tenantState().allowance().spread().plan(request.minted());
    }
  }

  Outcome<Action> draft(Asked asked) {
    Action original = asked.original();
    Action.Inverse inverse =
        Objects.requireNonNull(Objects.requireNonNull(original.disposal()).inverse());
    Optional<Connector> connector =
        connectors.find(original.partition(), original.terms().connector());
    Optional<Tool> tool = connector.flatMap(one -> one.tool(inverse.tool()));
    if (tool.isEmpty()) {
      return impossible("The connector or its inverse tool no longer exists.");
    }
    ObjectNode args = inverse.args();
    if (args == null) {
      throw new IllegalArgumentException("The action has no inverse that could be called.");
    }
    Optional<Facts> facts = Binding.bindInverse(tool.get(), args, original.terms().facts());
    if (facts.isEmpty()) {
      return impossible("The inverse would act on an entity other than the action's.");
    }
    return Outcome.done(
        undoAction(asked, new Inverse(connector.get(), tool.get(), args, facts.get())));
  }

  /** Call that undoes an action, as its connector has it now. */
  private record Inverse(Connector connector, Tool tool, ObjectNode args, Facts facts) {
    String toolDigest() {
      return ToolDigest.of(connector, tool);
    }

    Candidate candidate(Instant at) {
      return new Candidate(
          connector.id(), tool.name(), tool.tier(), connector.isRead(tool), args, facts, at);
    }
  }

  private Action undoAction(Asked asked, Inverse inverse) {
    Action original = asked.original();
    Caller caller = asked.caller();
    Action.Disposal disposal = Objects.requireNonNull(original.disposal());
    // The original's guardrail counts only for the inverse that was declared when the action was
    // disposed.
    boolean declared =
        inverse.toolDigest().equals(Objects.requireNonNull(disposal.inverse()).toolDigest());
    String originalRule = declared ? disposal.verdict().rule() : null;
    Optional<Operator> operator = asked.basis().operator();
    Instant requestedAt = asked.request().undoId().madeAt();
    Evaluation evaluation =
        operator
            .map(owner -> evaluate(owner, inverse.candidate(requestedAt), originalRule))
            .orElseGet(
                () ->
                    new Evaluation(new Verdict(Decision.BLOCK, inverse.tool().tier(), null), null));
    ApprovalPolicy approval = evaluation.approval();
    String undoneBy = asked.request().undoneBy();
    Action.Undoing undoing =
        new Action.Undoing(
            original.id(),
            undoneBy == null ? caller.name() : undoneBy,
            Decider.by(caller.principal(), undoneBy, clock.instant()),
            asked.proposedBy(),
            asked.request().reason(),
            caller.requestId(),
            originalRule,
            operator.map(Operator::guardrailsVersion).orElse(0L),
            blocked(evaluation.verdict()) || approval != null ? null : Allowance.Part.NONE,
            approval != null);
    return new Action(
        asked.request().undoId(),
        original.partition(),
        terms(asked, inverse, evaluation, undoing, approval));
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
      Asked asked,
      Inverse inverse,
      Evaluation evaluation,
      Action.Undoing undoing,
      @Nullable ApprovalPolicy approval) {
    Action original = asked.original();
    Action.Terms terms = original.terms();
    String key = UndoKey.of(original);
    String tool = inverse.tool().name();
    String toolDigest = inverse.toolDigest();
    return new Action.Terms(
        undoing.held() ? asked.plan() : terms.planId(),
        undoing.held() ? 0 : terms.position(),
        terms.operatorId(),
        terms.eventId(),
        terms.correlationId(),
        terms.workspaceId(),
        terms.connector(),
        tool,
        toolDigest,
        inverse.connector().isRead(inverse.tool()),
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
        approval,
        asked.basis().operator().filter(owner -> owner.guardrails().isTimed()).isPresent());
  }

  private static boolean blocked(Verdict verdict) {
    return verdict.decision() == Decision.BLOCK;
  }

  private static Outcome<Action> impossible(String why) {
    return Outcome.refused(new Refusal.NotUndoable(why));
  }
}
