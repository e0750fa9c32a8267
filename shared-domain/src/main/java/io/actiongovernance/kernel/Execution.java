package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Binding;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    HandOver.@Nullable Look ahead) {
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
  Execution lookingAhead(HandOver.Look look) {
    return new Execution(action, plan, ruledBy, waitedAt, look);
  }

  /** Whether somebody waited for the lock of its entity when it was loaded. */
  boolean waited() {
    return waitedAt != null;
  }

  /** The fixed error of a refused action (specification, Action object). */
  static final String BLOCKED = "blocked by trust policy";

  /**
   * How an execution ends.
   *
   * @param from the state that the action's own claim must be in, if it is settled by this
   * @param settles what becomes of the action's own claim, null if it has none
   * @param key what the idempotency key has to do with another action
   * @param settle for how long its entity is to settle; zero unless its call may still be at work
   * @param resultSha256 by which what its call came back with is found; null where that is not kept
   */
  record Ending(
      Disposition disposition,
      ReceiptOutcome outcome,
      @Nullable String error,
      @Nullable String reason,
      Verdict verdict,
      @Nullable String reference,
      Action.@Nullable Inverse inverse,
      @Nullable CallResult result,
      State from,
      @Nullable State settles,
      SharedKey key,
      Duration settle,
      @Nullable String resultSha256) {

    /**
     * The other actions that have had the action's idempotency key.
     *
     * @param holder the one that has it, for whose sake this one ends as it does
     * @param prior the one whose unknown call under it this one repeated
     */
    record SharedKey(@Nullable Holder holder, @Nullable Holder prior) {
      /** Nothing. */
      static final SharedKey NONE = new SharedKey(null, null);
    }

    /** An end without a call. */
    private static Ending uncalled(
        Disposition disposition,
        ReceiptOutcome outcome,
        @Nullable String error,
        @Nullable String reason,
        Verdict verdict,
        @Nullable State settles) {
      return new Ending(
          disposition,
          outcome,
          error,
          reason,
          verdict,
          null,
          null,
          null,
          State.INTENT,
          settles,
          SharedKey.NONE,
          Duration.ZERO,
          null);
    }

    /** Refused by the policy. */
    static Ending refused(Verdict verdict, @Nullable String reason) {
      return uncalled(Disposition.BLOCK, ReceiptOutcome.REFUSED, BLOCKED, reason, verdict, null);
    }

    /** Refused by a limit. */
    static Ending limited(Verdict verdict) {
      return refused(verdict, "limit_exceeded");
    }

    /** Its idempotency key had been applied before, for the same effect. */
    static Ending deduplicated(Verdict verdict, Holder holder) {
      return uncalled(Disposition.DEDUP, ReceiptOutcome.DEDUPLICATED, null, null, verdict, null)
          .heldBy(holder);
    }

    /** Its idempotency key stands for another effect. */
    static Ending mismatched(Verdict verdict, Holder holder) {
      return refused(verdict, "idempotency_mismatch").heldBy(holder);
    }

    /** It was not called, for a reason other than the policy. */
    static Ending failed(Verdict verdict, String error) {
      return uncalled(
          Disposition.of(verdict.decision()), ReceiptOutcome.FAILED, error, null, verdict, null);
    }

    /**
     * Nobody can know whether another action's call under its key took effect, and it was not
     * called itself.
     */
    static Ending unknownElsewhere(Verdict verdict, Holder holder) {
      return unknown(verdict, elsewhere(holder), true, null).heldBy(holder);
    }

    private static String elsewhere(Holder holder) {
      return "the outcome of " + holder.action() + " under the same idempotency key is not known";
    }

    /**
     * What its claim says of its own call, where its row has been restored to a time before that
     * was recorded.
     *
     * @param known applied or unknown
     */
    static Ending again(Verdict verdict, State known) {
      return known == State.APPLIED
          ? uncalled(
              Disposition.of(verdict.decision()),
              ReceiptOutcome.APPLIED,
              null,
              "recorded_again",
              verdict,
              null)
          : unknown(
              verdict, "a table was restored to a time before its call was recorded", true, null);
    }

    /** Nobody can know whether its own call took effect: whoever made it died. */
    static Ending abandoned(Verdict verdict, String why) {
      return unknown(verdict, why, false, State.UNKNOWN);
    }

    private static Ending unknown(
        Verdict verdict, String why, boolean answered, @Nullable State settles) {
      return new Ending(
          Disposition.of(verdict.decision()),
          ReceiptOutcome.UNKNOWN,
          "outcome unknown: " + why,
          null,
          verdict,
          null,
          null,
          settles == null ? null : new CallResult.Unknown(why, answered),
          State.INTENT,
          settles,
          SharedKey.NONE,
          Duration.ZERO,
          null);
    }

    /** What its own call came to. */
    static Ending of(Verdict verdict, CallResult result) {
      return switch (result) {
        case CallResult.Applied applied ->
            called(
                verdict, ReceiptOutcome.APPLIED, null, applied.reference(), result, State.APPLIED);
        case CallResult.Failed(String error) ->
            called(verdict, ReceiptOutcome.FAILED, error, null, result, State.FREE);
        case CallResult.Unknown(String why, boolean answered) ->
            unknown(verdict, why, answered, State.UNKNOWN);
        case CallResult.Refused(String reason) ->
            uncalled(
                Disposition.BLOCK, ReceiptOutcome.REFUSED, BLOCKED, reason, verdict, State.FREE);
        case CallResult.Paced _ -> throw new IllegalArgumentException("A paced call was not made.");
      };
    }

    private static Ending called(
        Verdict verdict,
        ReceiptOutcome outcome,
        @Nullable String error,
        @Nullable String reference,
        CallResult result,
        State settles) {
      return new Ending(
          Disposition.of(verdict.decision()),
          outcome,
          error,
          null,
          verdict,
          reference,
          null,
          result,
          State.INTENT,
          settles,
          SharedKey.NONE,
          Duration.ZERO,
          null);
    }

    /** Whether it applied by a call that its claim says was recorded before. */
    boolean isOfBefore() {
      return outcome == ReceiptOutcome.APPLIED && settles == null;
    }

    boolean ok() {
      return outcome == ReceiptOutcome.APPLIED || outcome == ReceiptOutcome.DEDUPLICATED;
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
          State.FREE,
          key,
          settle,
          resultSha256);
    }

    private Ending heldBy(Holder holder) {
      return with(new SharedKey(holder, key.prior()), inverse, settle);
    }

    /**
     * The same for an action that called again under a key whose effect is unknown. What applied is
     * applied, whichever of the calls it was; what was refused was not called again; all else
     * leaves the effect as unknown as it was.
     */
    Ending under(@Nullable Holder prior) {
      if (prior == null) {
        return this;
      }
      SharedKey known = new SharedKey(null, prior);
      if (outcome != ReceiptOutcome.FAILED && outcome != ReceiptOutcome.UNKNOWN) {
        return with(known, inverse, settle);
      }
      boolean answered = !(result instanceof CallResult.Unknown unknown) || unknown.answered();
      return new Ending(
          disposition,
          ReceiptOutcome.UNKNOWN,
          "outcome unknown: " + elsewhere(prior) + ", and then: " + error,
          null,
          verdict,
          null,
          inverse,
          new CallResult.Unknown(elsewhere(prior), answered),
          from,
          settles == null ? null : State.UNKNOWN,
          new SharedKey(prior, prior),
          settle,
          null);
    }

    /**
     * The same with what the connector's tool adds: how to take the effect back, if it came or
     * comes to be known to have come, and how long the entity is to settle after a call that may
     * still be at work.
     */
    Ending of(Action action, Connector connector, Tool tool) {
      boolean atWork =
          result instanceof CallResult.Unknown unknown
              && !unknown.answered()
              && tool.hasSideEffects();
      return with(
          key, inverse(action, connector, tool), atWork ? connector.settle() : Duration.ZERO);
    }

    /**
     * The ending where the tool is not what was called any more: then the entity settles as its
     * connector says; where that is not there either, as it said when the call was made, or as by
     * default.
     *
     * @param whenCalled null if the claim does not say
     */
    Ending ofNoTool(Optional<Connector> connector, @Nullable Duration whenCalled) {
      boolean atWork = result instanceof CallResult.Unknown unknown && !unknown.answered();
      Duration settle =
          connector
              .map(Connector::settle)
              .or(() -> Optional.ofNullable(whenCalled))
              .orElseGet(() -> Duration.ofSeconds(Connector.SETTLE_SECONDS));
      return with(key, inverse, atWork ? settle : Duration.ZERO);
    }

    private Ending with(SharedKey newKey, Action.@Nullable Inverse newInverse, Duration newSettle) {
      return new Ending(
          disposition,
          outcome,
          error,
          reason,
          verdict,
          reference,
          newInverse,
          result,
          from,
          settles,
          newKey,
          newSettle,
          resultSha256);
    }

    /** The same of a call whose answer is kept, or not. */
    Ending named(@Nullable String sha256) {
      return new Ending(
          disposition,
          outcome,
          error,
          reason,
          verdict,
          reference,
          inverse,
          result,
          from,
          settles,
          key,
          settle,
          sha256);
    }

    private Action.@Nullable Inverse inverse(Action action, Connector connector, Tool tool) {
      Tool.Inverse declared = tool.inverse();
      boolean applied = result instanceof CallResult.Applied;
      if (declared == null
          || action.terms().undoing() != null
          || !(applied || outcome == ReceiptOutcome.UNKNOWN)) {
        return null;
      }
      JsonNode answer =
          result instanceof CallResult.Applied(JsonNode body, _, _)
              ? connector.named(body)
              : MissingNode.getInstance();
      Optional<Tool> undoing = connector.tool(declared.tool());
      return Action.Inverse.yielded(
          declared.tool(),
          undoing.map(one -> ToolDigest.of(connector, one)).orElse(null),
          declared
              .inverseArgs(action.terms().args(), answer)
              .map(ObjectNode.class::cast)
              .filter(args -> undoing.filter(one -> !undoes(one, args, action)).isEmpty())
              .orElse(null));
    }
  }

  /** Whether the inverse, called with these arguments, is about the action's own entity. */
  private static boolean undoes(Tool inverse, ObjectNode args, Action action) {
    return Binding.bindInverse(inverse, args, action.terms().facts()).isPresent();
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
