package io.actiongovernance.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Verdict;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Policy at execution: the stricter of the verdict at proposal and the verdict of the current
 * guardrails binds (contract, section 3). A missing operator permits nothing. Stateless.
 */
public final class ExecutionPolicy {
  /**
   * Receipt's reason for an action that needed no approval when proposed and is ALERT when it
   * executes.
   */
  public static final String NEEDS_APPROVAL = "needs_approval";

  private ExecutionPolicy() {}

  /**
   * Evaluation that binds an action at execution.
   *
   * @param reason why it is refused, if there is a reason besides its verdict BLOCK; otherwise null
   * @param guardrail the guardrail that decides now, whose limits must be reserved
   * @param changedBy the version of the guardrails that made the verdict stricter than the proposed
   *     one; null if none did
   * @param at when it was evaluated
   * @param timed whether the current guardrails depend on the time
   * @param window the guardrail whose window is closed; null unless that is why it is refused, or
   *     if there is none to name
   */
  public record ExecutionEvaluation(
      Verdict verdict,
      @Nullable String reason,
      @Nullable Guardrail guardrail,
      @Nullable Long changedBy,
      Instant at,
      boolean timed,
      @Nullable String window) {
    /**
     * Returns whether the action is refused now, but would not have been at the time it was
     * proposed.
     */
    public boolean isOutsideWindow() {
      return Verdict.OUTSIDE_WINDOW.equals(verdict.reason());
    }

    public boolean refuses() {
      return verdict.decision() == Decision.BLOCK || reason != null;
    }
  }

  /**
   * Evaluates an action.
   *
   * @param approved whether somebody asked for exactly this action, by approving the plan or
   *     requesting the undo
   * @param at the instant at which to evaluate it
   */
  public static ExecutionEvaluation evaluate(
      Action action, Optional<Operator> operator, boolean approved, Instant at) {
    Evaluation now = evaluate(action, operator, at);
    boolean timed = operator.filter(owner -> owner.guardrails().isTimed()).isPresent();
    Verdict verdict = now.verdict();
    String window = null;
    if (timed && !verdict.mayRun()) {
      Verdict proposed = evaluate(action, operator, action.proposedAt()).verdict();
      if (proposed.mayRun()) {
        window = verdict.rule() == null ? proposed.rule() : verdict.rule();
        verdict = verdict.outsideWindow();
      }
    }
    Verdict binding = action.terms().verdict().stricter(verdict);
    String reason = binding.reason();
    if (binding.decision() == Decision.ALERT && !approved) {
      reason = NEEDS_APPROVAL;
    }
    boolean asProposed = binding.equals(action.terms().verdict());
    return new ExecutionEvaluation(
        binding,
        reason,
        now.guardrail(),
        asProposed ? null : operator.map(Operator::guardrailsVersion).orElse(null),
        at,
        timed,
        window);
  }

  private static Evaluation evaluate(Action action, Optional<Operator> operator, Instant at) {
    return operator
        .filter(owner -> permitsAnything(owner, action))
        .map(owner -> evaluateAt(owner, action, at))
        .orElseGet(() -> refusal(action));
  }

  /**
   * Returns the verdict to show for an action of an open plan. If its tool is no longer the one
   * that was evaluated, the verdict says that the action will be refused.
   */
  public static Verdict binding(
      Action action, Optional<Operator> operator, Optional<Connector> connector, Instant at) {
    Verdict binding = evaluate(action, operator, true, at).verdict();
    return tool(action, connector).isPresent() ? binding : binding.toolChanged();
  }

  /** Returns the tool of an action, if its connector still has it as it was evaluated. */
  public static Optional<Tool> tool(Action action, Optional<Connector> connector) {
    Action.Terms terms = action.terms();
    return connector.flatMap(
        found ->
            found
                .tool(terms.tool())
                .filter(tool -> ToolDigest.of(found, tool).equals(terms.toolDigest())));
  }

  /** Evaluates an undo: the guardrail that decided the original counts as matching its inverse. */
  public static Evaluation evaluateUndo(
      Operator operator, Candidate inverse, @Nullable String originalRule) {
    return originalRule == null
        ? operator.guardrails().evaluate(inverse)
        : operator.guardrails().evaluateInverse(inverse, originalRule);
  }

  /**
   * Returns whether the operator permits the action at all. An archived operator permits only
   * undos.
   */
  private static boolean permitsAnything(Operator operator, Action action) {
    return operator.status() != OperatorStatus.ARCHIVED || action.terms().undoing() != null;
  }

  private static Evaluation evaluateAt(Operator operator, Action action, Instant at) {
    Action.Undoing undoing = action.terms().undoing();
    Candidate candidate = action.terms().candidate(at);
    return undoing == null
        ? operator.guardrails().evaluate(candidate)
        : evaluateUndo(operator, candidate, undoing.rule());
  }

  private static Evaluation refusal(Action action) {
    return new Evaluation(new Verdict(Decision.BLOCK, action.terms().verdict().tier(), null), null);
  }
}
