package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Binding;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  /** The fixed error of a refused action (specification, Action object). */
  static final String BLOCKED = "blocked by trust policy";

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
   * Nobody can know whether another action's call under its key took effect, and it was not called
   * itself.
   */
  static Ending unknownElsewhere(Verdict verdict, Holder holder) {
    return unknown(verdict, elsewhere(holder), true, null).heldBy(holder);
  }

  private static String elsewhere(Holder holder) {
    return "the outcome of " + holder.action() + " under the same idempotency key is not known";
  }

  /**
   * What its claim says of its own call, where its row has been restored to a time before that was
   * recorded.
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
          called(verdict, ReceiptOutcome.APPLIED, null, applied.reference(), result, State.APPLIED);
      case CallResult.Failed(String error) ->
          called(verdict, ReceiptOutcome.FAILED, error, null, result, State.FREE);
      case CallResult.Unknown(String why, boolean answered) ->
          unknown(verdict, why, answered, State.UNKNOWN);
      case CallResult.Refused(String reason) ->
          uncalled(Disposition.BLOCK, ReceiptOutcome.REFUSED, BLOCKED, reason, verdict, State.FREE);
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
   * applied, whichever of the calls it was; what was refused was not called again; all else leaves
   * the effect as unknown as it was.
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
   * The same with what the connector's tool adds: how to take the effect back, if it came or comes
   * to be known to have come, and how long the entity is to settle after a call that may still be
   * at work.
   */
  Ending of(Action action, Connector connector, Tool tool) {
    boolean atWork =
        result instanceof CallResult.Unknown unknown
            && !unknown.answered()
            && tool.hasSideEffects();
    return with(key, inverse(action, connector, tool), atWork ? connector.settle() : Duration.ZERO);
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

  /** Whether the inverse, called with these arguments, is about the action's own entity. */
  private static boolean undoes(Tool inverse, ObjectNode args, Action action) {
    return Binding.bindInverse(inverse, args, action.terms().facts()).isPresent();
  }
}
