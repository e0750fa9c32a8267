package io.actiongovernance.policy.analysis;

import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Guardrail;
import org.jspecify.annotations.Nullable;

/** Decisions of two sets of guardrails on an action, and the approvals that they require. */
record Ruling(
    Decision before,
    Decision after,
    @Nullable ApprovalPolicy approvalBefore,
    @Nullable ApprovalPolicy approvalAfter) {
  static Ruling of(Evaluation before, Evaluation after) {
    return new Ruling(
        before.verdict().decision(),
        after.verdict().decision(),
        approval(before.guardrail()),
        approval(after.guardrail()));
  }

  private static @Nullable ApprovalPolicy approval(@Nullable Guardrail guardrail) {
    return guardrail == null ? null : guardrail.approval();
  }

  /** Returns whether the second set permits more, or asks fewer people. */
  boolean looser() {
    return before.compareTo(after) > 0 || (before == after && asksForLess());
  }

  private boolean asksForLess() {
    return approvalBefore != null
        && (approvalAfter == null || !approvalAfter.isAtLeast(approvalBefore));
  }
}
