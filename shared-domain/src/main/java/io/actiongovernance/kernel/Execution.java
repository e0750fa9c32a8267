package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Action;
import io.actiongovernance.plan.ExecutionPolicy.ExecutionEvaluation;
import io.actiongovernance.plan.Plan;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Action that is about to be executed, with the permission under which it runs.
 *
 * @param ruledBy the version of the guardrails that decided on it, if not the proposal's
 * @param evaluatedAt when it was last evaluated; null if it was not, or if the guardrails do not
 *     depend on the time
 * @param waitedAt when it was loaded, if a plan then waited for its entity's lock; otherwise null
 * @param ahead a lookup of the next waiter, begun while the action is called; null if none
 */
record Execution(
    Mandate mandate,
    @Nullable Long ruledBy,
    @Nullable Instant evaluatedAt,
    @Nullable Instant waitedAt,
    TransferLock.@Nullable Look ahead) {
  /**
   * @param plan the action's plan, as stored
   */
  Execution(Action action, Optional<Plan> plan) {
    this(Mandate.of(action, plan), null, null, null, null);
  }

  Action action() {
    return mandate.action();
  }

  /** Returns the executing plan; null for an undo that needed no approval. */
  @Nullable Plan plan() {
    return mandate.plan();
  }

  /** Returns the execution with this evaluation. */
  Execution under(ExecutionEvaluation evaluation) {
    return new Execution(
        mandate,
        evaluation.changedBy(),
        evaluation.timed() ? evaluation.at() : null,
        waitedAt,
        ahead);
  }

  /** Returns the execution with this lock, as it was found now. */
  Execution under(EntityLock lock, Instant now) {
    return new Execution(mandate, ruledBy, evaluatedAt, lock.waited() ? now : null, null);
  }

  /** Returns the execution with a lookup of the next waiter in progress. */
  Execution lookingAhead(TransferLock.Look look) {
    return new Execution(mandate, ruledBy, evaluatedAt, waitedAt, look);
  }

  /** Returns whether a plan waited for the lock of its entity when the action was loaded. */
  boolean waited() {
    return waitedAt != null;
  }

  /**
   * Returns whether its plan ends in the transaction of its disposal, because no other action of
   * the plan runs, and no skipped action may still lack its receipt.
   */
  boolean endsItsPlan() {
    Plan plan = plan();
    return plan != null
        && mandate.hasLockOfItsOwn()
        && Objects.requireNonNull(plan.claim()).skipped().isEmpty();
  }

  /** Returns the number of items over which its tenant's count is spread. */
  int spread() {
    Allowance.Part part = mandate.part();
    return part == null ? 1 : part.spread();
  }

  long guardrailsVersion() {
    return ruledBy == null ? mandate.guardrailsVersion() : ruledBy;
  }
}
