package io.actiongovernance.policy;

import io.actiongovernance.policy.ReservedLimits.Result.Reserved;
import io.actiongovernance.store.InMemoryStore;
import java.time.Instant;
import java.util.List;

/** What limits have counted so far, and what they and the guardrails say of an action then. */
final class LimitState {
  private Instant now = Given.AT;
  private final ReservedLimits limits = new ReservedLimits(new InMemoryStore(), 1, () -> now);

  /** Lets time pass. */
  void pass(long seconds) {
    now = now.plusSeconds(seconds);
  }

  /** Counts an action under every limit of a guardrail, exceeded or not. */
  void count(Guardrail guardrail, Candidate action) {
    limits.reserve(guardrail, action, guardrail.limits());
  }

  Evaluation propose(Guardrails set, Candidate action) {
    return limits.budgets.underLimits(
        ReservedLimits.PARTITION, ReservedLimits.OPERATOR, set.evaluate(action), action, List.of());
  }

  /**
   * Returns whether an action is called.
   *
   * @param proposed the evaluation at its proposal; the stricter verdict binds
   */
  boolean executes(Guardrails set, Evaluation proposed, Candidate action, boolean approved) {
    Evaluation present = set.evaluate(action);
    Decision binding = proposed.verdict().stricter(present.verdict()).decision();
    if (binding == Decision.BLOCK || (binding == Decision.ALERT && !approved)) {
      return false;
    }
    Guardrail guardrail = present.guardrail();
    if (guardrail == null) {
      return true;
    }
    List<Limit> tolerated =
        guardrail.name().equals(proposed.verdict().rule()) ? proposed.limitedBy() : List.of();
    ReservedLimits.Result result =
        limits.reserve(guardrail, approved ? action.approved() : action, tolerated);
    if (result instanceof Reserved(var reservations)) {
      limits.giveBack(reservations);
      return true;
    }
    return false;
  }
}
