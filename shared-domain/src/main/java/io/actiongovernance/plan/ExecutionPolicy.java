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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The policy at execution: the verdict that binds is the stricter of the one at proposal and the
 * one under the guardrails as they are now (contract, section 3). An operator that is gone permits
 * nothing. Stateless.
 */
public final class ExecutionPolicy {
  /** The receipt's reason when an unheld action has become ALERT by the time it executes. */
  public static final String NEEDS_APPROVAL = "needs_approval";

  private ExecutionPolicy() {}

  /**
   * The evaluation that binds an action at execution.
   *
   * @param reason why it is refused although its verdict is no BLOCK, null otherwise
   * @param guardrail the guardrail that decided as things are now, whose limits are to be reserved
   * @param changedBy the version of the guardrails that made the verdict a stricter one than was
   *     proposed; null if none did
   */
  public record ExecutionEvaluation(
      Verdict verdict,
      @Nullable String reason,
      @Nullable Guardrail guardrail,
      @Nullable Long changedBy) {
    public boolean refuses() {
      return verdict.decision() == Decision.BLOCK || reason != null;
    }
  }

  /**
   * Evaluates an action.
   *
   * @param approved whether somebody asked for exactly this: an approval of the plan, or the
   *     request to undo
   */
  public static ExecutionEvaluation evaluate(
      Action action, Optional<Operator> operator, boolean approved) {
    Evaluation now =
        operator
            .filter(owner -> permitsAnything(owner, action))
            .map(owner -> evaluateNow(owner, action))
            .orElseGet(() -> refusal(action));
    Verdict binding = action.terms().verdict().stricter(now.verdict());
    boolean needsApproval = binding.decision() == Decision.ALERT && !approved;
    boolean asProposed = binding.equals(action.terms().verdict());
    return new ExecutionEvaluation(
        binding,
        needsApproval ? NEEDS_APPROVAL : null,
        now.guardrail(),
        asProposed ? null : operator.map(Operator::guardrailsVersion).orElse(null));
  }

  /**
   * The verdict to show for an action of an open plan: of one whose tool is not the one that was
   * evaluated any more, that it will be refused for it.
   */
  public static Verdict binding(
      Action action, Optional<Operator> operator, Optional<Connector> connector) {
    Verdict binding = evaluate(action, operator, true).verdict();
    return tool(action, connector).isPresent() ? binding : binding.toolChanged();
  }

  /** The tool of an action, if its connector has it still as it was evaluated. */
  public static Optional<Tool> tool(Action action, Optional<Connector> connector) {
    Action.Terms terms = action.terms();
    return connector.flatMap(
        found ->
            found
                .tool(terms.tool())
                .filter(tool -> ToolDigest.of(found, tool).equals(terms.toolDigest())));
  }

  /**
   * What the guardrails say of an undo: the one that decided the original counts as matching its
   * inverse.
   */
  public static Evaluation evaluateUndo(
      Operator operator, Candidate inverse, @Nullable String originalRule) {
    return originalRule == null
        ? operator.guardrails().evaluate(inverse)
        : operator.guardrails().evaluateInverse(inverse, originalRule);
  }

  /** Nothing more is done for an operator that was archived, except to undo what was done. */
  private static boolean permitsAnything(Operator operator, Action action) {
    return operator.status() != OperatorStatus.ARCHIVED || action.terms().undoing() != null;
  }

  private static Evaluation evaluateNow(Operator operator, Action action) {
    Action.Undoing undoing = action.terms().undoing();
    Candidate candidate = action.terms().candidate();
    return undoing == null
        ? operator.guardrails().evaluate(candidate)
        : evaluateUndo(operator, candidate, undoing.rule());
  }

  private static Evaluation refusal(Action action) {
    return new Evaluation(new Verdict(Decision.BLOCK, action.terms().verdict().tier(), null), null);
  }
}
