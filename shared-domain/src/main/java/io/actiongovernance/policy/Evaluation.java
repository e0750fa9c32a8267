package io.actiongovernance.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of applying policy to an action: the verdict, the guardrail that decided, and the limits
 * that made it stricter. Immutable.
 *
 * @param guardrail the guardrail that decided, whose limits count the action; null if none matched
 * @param limitedBy the limits that turned its ALLOW into ALERT; empty if none did
 */
public record Evaluation(Verdict verdict, @Nullable Guardrail guardrail, List<Limit> limitedBy) {
  public Evaluation {
    limitedBy = List.copyOf(limitedBy);
  }

  /** An evaluation that no limit has made stricter. */
  public Evaluation(Verdict verdict, @Nullable Guardrail guardrail) {
    this(verdict, guardrail, List.of());
  }

  /**
   * Returns who must approve the action according to the guardrail that holds it. Null if no
   * guardrail holds it, or if that guardrail has no policy.
   */
  public @Nullable ApprovalPolicy approval() {
    return guardrail == null || verdict.decision() != Decision.ALERT ? null : guardrail.approval();
  }

  /** Returns this evaluation with ALERT instead of ALLOW, because of these limits. */
  Evaluation alert(List<Limit> exceeded, LimitUse first) {
    Verdict alert = new Verdict(Decision.ALERT, verdict.tier(), verdict.rule()).limited(first);
    return new Evaluation(alert, guardrail, exceeded);
  }
}
