package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.plan.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An action about to be executed, and under whose permission: its plan's claim, or the undo that it
 * is.
 *
 * @param plan the executing plan, null for an undo that waited for nobody
 * @param ruledBy the version of the guardrails that ruled on it, if it was not the proposal's
 * @param waitedAt when it was loaded, if somebody waited for the lock of its entity then; null if
 *     nobody did
 * @param ahead a look at who waits, that was begun while it is called; null if there is none
 */
record Execution(
    Action action,
    @Nullable Plan plan,
    @Nullable Long ruledBy,
    @Nullable Instant waitedAt,
    TransferLock.@Nullable Look ahead) {
  Execution(Action action, @Nullable Plan plan) {
    this(action, plan, null, null, null);
  }

  /** The same under this version of the guardrails; null for the proposal's. */
  Execution under(@Nullable Long version) {
    return new Execution(action, plan, version, waitedAt, ahead);
  }

  /** The same under this lock, as it was found now. */
  Execution under(EntityLock lock, Instant now) {
    return new Execution(action, plan, ruledBy, lock.waited() ? now : null, null);
  }

  /** The same with a look at who waits under way. */
  Execution lookingAhead(TransferLock.Look look) {
    return new Execution(action, plan, ruledBy, waitedAt, look);
  }

  /** Whether somebody waited for the lock of its entity when it was loaded. */
  boolean waited() {
    return waitedAt != null;
  }

  /** What it undoes at once, without a plan's claim; null of an action of a plan. */
  private Action.@Nullable Undoing atOnce() {
    return plan == null ? action.terms().undoing() : null;
  }

  /** Whether somebody asked for exactly this. */
  boolean approved() {
    return plan == null || (plan.approval() != null && !uncovered(plan.claim()));
  }

  /** Whether the approval of its plan was none of it. */
  private boolean uncovered(Plan.@Nullable Claim claim) {
    return claim != null && claim.uncovered().contains(action.id());
  }

  /** The digest it was approved or claimed under. */
  @Nullable String permittedDigest() {
    Plan.Claim claim = plan == null ? null : plan.claim();
    return claim == null ? action.terms().digest() : claim.digests().get(action.id());
  }

  /** Whether the policy blocked it when its plan was claimed: it holds no lock. */
  boolean refusedAtClaim() {
    Plan.Claim claim = plan == null ? null : plan.claim();
    return claim != null && claim.refused().contains(action.id());
  }

  /** Who holds the lock of its entity for it. */
  String lockHolder() {
    return plan == null ? action.id().value() : plan.id().value();
  }

  /**
   * Whether a lock is taken for it alone: for an undo, or the only action of its plan that runs.
   * The lock then goes with the disposal.
   */
  boolean hasLockOfItsOwn() {
    return plan == null ? part() != null : plan.selected().size() == 1 && !refusedAtClaim();
  }

  /**
   * Whether its plan ends with it, in the transaction of its disposal: nothing else of the plan
   * runs, and nothing was left out, of which a receipt might still be to be written.
   */
  boolean endsItsPlan() {
    return plan != null
        && hasLockOfItsOwn()
        && Objects.requireNonNull(plan.claim()).skipped().isEmpty();
  }

  /** What its claim reserved of the allowance; null if it was refused then. */
  Allowance.@Nullable Part part() {
    Action.Undoing undoing = atOnce();
    if (undoing != null) {
      return undoing.part();
    }
    Plan.Claim claim = plan == null ? null : plan.claim();
    return claim == null || refusedAtClaim() ? null : claim.part();
  }

  /** Its place among the actions that its claim reserved for. */
  int place() {
    return plan == null
        ? 0
        : plan.selected().stream()
            .filter(id -> !Objects.requireNonNull(plan.claim()).refused().contains(id))
            .toList()
            .indexOf(action.id());
  }

  /** When its plan was claimed; of an undo that waited for nobody, when it was asked for. */
  Instant begunAt() {
    Plan.Claim claim = plan == null ? null : plan.claim();
    return claim == null ? action.id().madeAt() : claim.claimedAt();
  }

  /** Over how many items what is counted for its tenant is spread. */
  int spread() {
    Allowance.Part part = part();
    return part == null ? 1 : part.spread();
  }

  @Nullable RequestId requestId() {
    Action.Undoing undoing = atOnce();
    if (undoing != null) {
      return undoing.requestId();
    }
    if (plan == null) {
      return null;
    }
    Plan.Approval approval = plan.approval();
    return approval == null ? plan.terms().requestId() : approval.requestId();
  }

  @Nullable String approver() {
    Action.Undoing undoing = atOnce();
    Plan.Approval approval = plan == null ? null : plan.approval();
    if (undoing != null) {
      return undoing.undoneBy();
    }
    return approval == null ? null : approval.approver();
  }

  /** Who proposed it; of an undo that waited for nobody, who proposed what it undoes. */
  ProposedBy proposedBy() {
    Action.Undoing undoing = atOnce();
    return undoing == null
        ? Objects.requireNonNull(plan).terms().proposedBy()
        : undoing.proposedBy();
  }

  /** Who approved it, or asked for the undo that waited for nobody; none if nobody did. */
  List<Decider> decidedBy() {
    Action.Undoing undoing = atOnce();
    if (undoing != null) {
      return List.of(undoing.decider());
    }
    return plan == null ? List.of() : plan.decidedBy();
  }

  /** The approval that it runs under, null if there is none. */
  @Nullable ApprovalId approvalId() {
    Plan.Approval approval = plan == null ? null : plan.approval();
    return approval == null ? null : approval.id();
  }

  @Nullable String note() {
    Plan.Approval approval = plan == null ? null : plan.approval();
    return approval == null ? null : approval.note();
  }

  long guardrailsVersion() {
    if (ruledBy != null) {
      return ruledBy;
    }
    Action.Undoing undoing = atOnce();
    if (undoing != null) {
      return undoing.guardrailsVersion();
    }
    return plan == null ? 0 : plan.terms().guardrailsVersion();
  }
}
