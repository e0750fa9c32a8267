package io.actiongovernance.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How policy came to its verdict on an action: the verdict itself, the guardrail that decided, and
 * the limits that made it stricter. Immutable.
 *
 * @param guardrail the guardrail that decided, whose limits count the action; null if none matched
 * @param limitedBy the limits that turned its ALLOW into ALERT; empty if none did
 */
public record Evaluation(Verdict verdict, @Nullable Guardrail guardrail, List<Limit> limitedBy) {
  public Evaluation {
    limitedBy = List.copyOf(limitedBy);
  }

  /** An evaluation that no limit made stricter. */
  public Evaluation(Verdict verdict, @Nullable Guardrail guardrail) {
    this(verdict, guardrail, List.of());
  }

  /** Who must approve it, as the guardrail says that holds it; null where none does, or says so. */
  public @Nullable ApprovalPolicy approval() {
    return guardrail == null || verdict.decision() != Decision.ALERT ? null : guardrail.approval();
  }

  /**
   * The same with ALERT for ALLOW, because of these limits.
   *
   * @param first how far the first of them is used up
   */
  Evaluation alert(List<Limit> exceeded, LimitUse first) {
    Verdict alert = new Verdict(Decision.ALERT, verdict.tier(), verdict.rule()).limited(first);
    return new Evaluation(alert, guardrail, exceeded);
  }
}
