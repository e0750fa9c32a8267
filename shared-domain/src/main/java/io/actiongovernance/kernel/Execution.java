package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.kernel.EffectClaims.State;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.Outcome;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An action about to be executed, and under whose permission: its plan's claim, or the undo that it
 * is.
 *
 * @param plan the executing plan, null for an undo
 * @param ruledBy the version of the guardrails that ruled on it, if it was not the proposal's
 */
record Execution(Action action, @Nullable Plan plan, @Nullable Long ruledBy) {
  Execution(Action action, @Nullable Plan plan) {
    this(action, plan, null);
  }

  /** The same under this version of the guardrails; null for the proposal's. */
  Execution under(@Nullable Long version) {
    return new Execution(action, plan, version);
  }

  /** The fixed error of a refused action (specification, Action object). */
  static final String BLOCKED = "blocked by trust policy";

  /**
   * How an execution ends.
   *
   * @param from the state that the action's own claim must be in, if it is settled by this
   * @param settles what becomes of the action's own claim, null if it has none
   */
  record Ending(
      Disposition disposition,
      Outcome outcome,
      @Nullable String error,
      @Nullable String reason,
      Verdict verdict,
      @Nullable String reference,
      Action.@Nullable Inverse inverse,
      @Nullable CallResult result,
      State from,
      @Nullable State settles) {

    /** Refused by the policy. */
    static Ending refused(Verdict verdict, @Nullable String reason) {
      return new Ending(
          Disposition.BLOCK,
          Outcome.REFUSED,
          BLOCKED,
          reason,
          verdict,
          null,
          null,
          null,
          State.INTENT,
          null);
    }

    /** Refused by a limit, under an intent that is taken back. */
    static Ending limited(Verdict verdict) {
      return new Ending(
          Disposition.BLOCK,
          Outcome.REFUSED,
          BLOCKED,
          "limit_exceeded",
          verdict,
          null,
          null,
          null,
          State.INTENT,
          State.FREE);
    }

    /** Its idempotency key had been applied before. */
    static Ending deduplicated(Verdict verdict) {
      return new Ending(
          Disposition.DEDUP,
          Outcome.DEDUPLICATED,
          null,
          null,
          verdict,
          null,
          null,
          null,
          State.INTENT,
          null);
    }

    /** It was not called, for a reason other than the policy. */
    static Ending failed(Verdict verdict, String error) {
      return new Ending(
          Disposition.of(verdict.decision()),
          Outcome.FAILED,
          error,
          null,
          verdict,
          null,
          null,
          null,
          State.INTENT,
          null);
    }

    /**
     * Nobody can know whether another action's call under its key took effect, and it was not
     * called itself.
     */
    static Ending unknownElsewhere(Verdict verdict, String why) {
      return unknown(verdict, why, null);
    }

    /** Nobody can know whether its own call took effect. */
    static Ending abandoned(Verdict verdict, String why) {
      return unknown(verdict, why, State.UNKNOWN);
    }

    private static Ending unknown(Verdict verdict, String why, @Nullable State settles) {
      return new Ending(
          Disposition.of(verdict.decision()),
          Outcome.UNKNOWN,
          "outcome unknown: " + why,
          null,
          verdict,
          null,
          null,
          settles == null ? null : new CallResult.Unknown(why, false),
          State.INTENT,
          settles);
    }

    /** What its own call came to. */
    static Ending of(Verdict verdict, Optional<Tool> tool, Action action, CallResult result) {
      return switch (result) {
        case CallResult.Applied applied ->
            new Ending(
                Disposition.of(verdict.decision()),
                Outcome.APPLIED,
                null,
                null,
                verdict,
                applied.reference(),
                inverse(tool, action, applied),
                result,
                State.INTENT,
                State.APPLIED);
        case CallResult.Failed(String error) ->
            new Ending(
                Disposition.of(verdict.decision()),
                Outcome.FAILED,
                error,
                null,
                verdict,
                null,
                null,
                result,
                State.INTENT,
                State.FREE);
        case CallResult.Unknown(String why, boolean _) -> unknown(verdict, why, State.UNKNOWN);
        case CallResult.Refused(String reason) ->
            new Ending(
                Disposition.BLOCK,
                Outcome.REFUSED,
                BLOCKED,
                reason,
                verdict,
                null,
                null,
                result,
                State.INTENT,
                State.FREE);
        case CallResult.Paced _ -> throw new IllegalArgumentException("A paced call was not made.");
      };
    }

    private static Action.@Nullable Inverse inverse(
        Optional<Tool> tool, Action action, CallResult.Applied applied) {
      Tool.Inverse inverse = tool.map(Tool::inverse).orElse(null);
      if (inverse == null || action.terms().undoing() != null) {
        return null;
      }
      return new Action.Inverse(
          inverse.tool(),
          inverse
              .inverseArgs(action.terms().args(), applied.result())
              .map(ObjectNode.class::cast)
              .orElse(null));
    }

    boolean ok() {
      return outcome == Outcome.APPLIED || outcome == Outcome.DEDUPLICATED;
    }

    /** The same for an action whose call had been put off: its key is free again. */
    Ending afterPacing() {
      return new Ending(
          disposition,
          outcome,
          error,
          reason,
          verdict,
          reference,
          inverse,
          result,
          State.PACED,
          State.FREE);
    }
  }

  /** Whether somebody asked for exactly this. */
  boolean approved() {
    return plan == null || plan.approval() != null;
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
   * Whether a lock is held for it alone: for an undo, or the only action of its plan that runs. The
   * lock then goes with the disposal.
   */
  boolean hasLockOfItsOwn() {
    return plan == null ? part() != null : plan.selected().size() == 1 && !refusedAtClaim();
  }

  /** What was reserved of the allowance for it, null if nothing was. */
  Allowance.@Nullable Part part() {
    Action.Undoing undoing = action.terms().undoing();
    if (undoing != null) {
      return undoing.part();
    }
    Plan.Claim claim = plan == null ? null : plan.claim();
    return claim == null || refusedAtClaim() ? null : claim.part();
  }

  @Nullable RequestId requestId() {
    Action.Undoing undoing = action.terms().undoing();
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
    Action.Undoing undoing = action.terms().undoing();
    Plan.Approval approval = plan == null ? null : plan.approval();
    if (undoing != null) {
      return undoing.undoneBy();
    }
    return approval == null ? null : approval.approver();
  }

  /** Who proposed it; of an undo, who proposed what it undoes. */
  ProposedBy proposedBy() {
    Action.Undoing undoing = action.terms().undoing();
    return undoing == null
        ? Objects.requireNonNull(plan).terms().proposedBy()
        : undoing.proposedBy();
  }

  /** Who approved it or asked for the undo, as the service knows it; none if nobody did. */
  List<Decider> decidedBy() {
    Action.Undoing undoing = action.terms().undoing();
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
    Action.Undoing undoing = action.terms().undoing();
    if (undoing != null) {
      return undoing.guardrailsVersion();
    }
    return plan == null ? 0 : plan.terms().guardrailsVersion();
  }
}
