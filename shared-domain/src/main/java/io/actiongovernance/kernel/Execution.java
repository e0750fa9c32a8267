package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Action;
import io.actiongovernance.plan.Plan;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An action about to be executed, and under whose permission.
 *
 * @param ruledBy the version of the guardrails that ruled on it, if it was not the proposal's
 * @param waitedAt when it was loaded, if somebody waited for the lock of its entity then; null if
 *     nobody did
 * @param ahead a look at who waits, that was begun while it is called; null if there is none
 */
record Execution(
    Mandate mandate,
    @Nullable Long ruledBy,
    @Nullable Instant waitedAt,
    TransferLock.@Nullable Look ahead) {
  /**
   * @param plan of the action, as it is stored
   */
  Execution(Action action, Optional<Plan> plan) {
    this(Mandate.of(action, plan), null, null, null);
  }

  Action action() {
    return mandate.action();
  }

  /** The executing plan, null for an undo that waited for nobody. */
  @Nullable Plan plan() {
    return mandate.plan();
  }

  /** The same under this version of the guardrails; null for the proposal's. */
  Execution under(@Nullable Long version) {
    return new Execution(mandate, version, waitedAt, ahead);
  }

  /** The same under this lock, as it was found now. */
  Execution under(EntityLock lock, Instant now) {
    return new Execution(mandate, ruledBy, lock.waited() ? now : null, null);
  }

  /** The same with a look at who waits under way. */
  Execution lookingAhead(TransferLock.Look look) {
    return new Execution(mandate, ruledBy, waitedAt, look);
  }

  /** Whether somebody waited for the lock of its entity when it was loaded. */
  boolean waited() {
    return waitedAt != null;
  }

  /**
   * Whether its plan ends with it, in the transaction of its disposal: nothing else of the plan
   * runs, and nothing was left out, of which a receipt might still be to be written.
   */
  boolean endsItsPlan() {
    Plan plan = plan();
    return plan != null
        && mandate.hasLockOfItsOwn()
        && Objects.requireNonNull(plan.claim()).skipped().isEmpty();
  }

  /** Over how many items what is counted for its tenant is spread. */
  int spread() {
    Allowance.Part part = mandate.part();
    return part == null ? 1 : part.spread();
  }

  /** The version of the guardrails that ruled on it. */
  long guardrailsVersion() {
    return ruledBy == null ? mandate.guardrailsVersion() : ruledBy;
  }
}
