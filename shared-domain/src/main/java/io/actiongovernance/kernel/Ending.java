package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Binding;
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
 * How an execution ends, and what becomes of its claim, its entity and its answer. Immutable.
 *
 * @param from the state that the action's own claim must be in, if it is settled by this
 * @param settles what becomes of the action's own claim, null if it has none
 * @param prior the action whose unknown call under the idempotency key this one repeated, or null
 * @param settle for how long its entity is to settle; zero unless its call may still be at work
 * @param resultSha256 by which what its call came back with is found; null where that is not kept
 */
record Ending(
    End end,
    State from,
    @Nullable State settles,
    @Nullable Holder prior,
    Action.@Nullable Inverse inverse,
    Duration settle,
    @Nullable String resultSha256) {
  private Ending(End end, @Nullable State settles) {
    this(end, State.INTENT, settles, null, null, Duration.ZERO, null);
  }

  /** Refused by the policy. */
  static Ending refused(Verdict verdict, @Nullable String reason) {
    return new Ending(new End.Refused(verdict, reason, null), null);
  }

  /** Refused by a limit. */
  static Ending limited(Verdict verdict) {
    return refused(verdict, "limit_exceeded");
  }

  /** Its idempotency key had been applied before, for the same effect. */
  static Ending deduplicated(Verdict verdict, Holder holder) {
    return new Ending(new End.Deduplicated(verdict, holder), null);
  }

  /** Its idempotency key stands for another effect. */
  static Ending mismatched(Verdict verdict, Holder holder) {
    return new Ending(new End.Refused(verdict, "idempotency_mismatch", holder), null);
  }

  /** It was not called, for a reason other than the policy. */
  static Ending failed(Verdict verdict, String error) {
    return new Ending(new End.Failed(verdict, error, null), null);
  }

  /**
   * Nobody can know whether another action's call under its key took effect, and it was not called
   * itself.
   */
  static Ending unknownElsewhere(Verdict verdict, Holder holder) {
    return new Ending(new End.Unknown(verdict, elsewhere(holder), null, holder), null);
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
    return new Ending(
        known == State.APPLIED
            ? new End.AppliedBefore(verdict)
            : new End.Unknown(
                verdict, "a table was restored to a time before its call was recorded", null, null),
        null);
  }

  /** Nobody can know whether its own call took effect: whoever made it died. */
  static Ending abandoned(Verdict verdict, String why) {
    return of(verdict, new CallResult.Unknown(why, false));
  }

  /** What its own call came to. */
  static Ending of(Verdict verdict, CallResult result) {
    return switch (result) {
      case CallResult.Applied applied ->
          new Ending(new End.Applied(verdict, applied), State.APPLIED);
      case CallResult.Failed(String error) ->
          new Ending(new End.Failed(verdict, error, result), State.FREE);
      case CallResult.Unknown unknown ->
          new Ending(new End.Unknown(verdict, unknown.why(), unknown, null), State.UNKNOWN);
      case CallResult.Refused(String reason) ->
          new Ending(new End.Refused(verdict, reason, null), State.FREE);
      case CallResult.Paced _ -> throw new IllegalArgumentException("A paced call was not made.");
    };
  }

  ReceiptOutcome outcome() {
    return end.outcome();
  }

  boolean ok() {
    return outcome() == ReceiptOutcome.APPLIED || outcome() == ReceiptOutcome.DEDUPLICATED;
  }

  /** What the source system calls the effect; null if it does not say, or there is none. */
  @Nullable String reference() {
    return end instanceof End.Applied applied ? applied.result().reference() : null;
  }

  /** The same for an action whose call had been put off: its key is free again. */
  Ending afterPacing() {
    return new Ending(end, State.PACED, State.FREE, prior, inverse, settle, resultSha256);
  }

  /**
   * The same for an action that called again under a key whose effect is unknown. What applied is
   * applied, whichever of the calls it was; what was refused was not called again; all else leaves
   * the effect as unknown as it was.
   */
  Ending under(@Nullable Holder before) {
    if (before == null) {
      return this;
    }
    return switch (end) {
      case End.Failed failed -> stillUnknown(before, failed.error(), true);
      case End.Unknown unknown -> {
        CallResult.Unknown own = unknown.result();
        yield stillUnknown(before, unknown.error(), own == null || own.answered());
      }
      default -> new Ending(end, from, settles, before, inverse, settle, resultSha256);
    };
  }

  private Ending stillUnknown(Holder before, String then, boolean answered) {
    String why = elsewhere(before);
    return new Ending(
        new End.Unknown(
            end.verdict(),
            why + ", and then: " + then,
            new CallResult.Unknown(why, answered),
            before),
        from,
        settles == null ? null : State.UNKNOWN,
        before,
        inverse,
        settle,
        null);
  }

  /** Whether its call may still be at work. */
  private boolean atWork() {
    return end instanceof End.Unknown unknown
        && unknown.result() != null
        && !unknown.result().answered();
  }

  /**
   * The same with what the connector's tool adds: how to take the effect back, if it came or comes
   * to be known to have come, and how long the entity is to settle after a call that may still be
   * at work.
   */
  Ending of(Action action, Connector connector, Tool tool) {
    return settling(
        inverse(action, connector, tool),
        atWork() && tool.hasSideEffects() ? connector.settle() : Duration.ZERO);
  }

  /**
   * The ending where the tool is not what was called any more: then the entity settles as its
   * connector says; where that is not there either, as it said when the call was made, or as by
   * default.
   *
   * @param whenCalled null if the claim does not say
   */
  Ending ofNoTool(Optional<Connector> connector, @Nullable Duration whenCalled) {
    Duration said =
        connector
            .map(Connector::settle)
            .or(() -> Optional.ofNullable(whenCalled))
            .orElseGet(() -> Duration.ofSeconds(Connector.SETTLE_SECONDS));
    return settling(inverse, atWork() ? said : Duration.ZERO);
  }

  private Ending settling(Action.@Nullable Inverse newInverse, Duration newSettle) {
    return new Ending(end, from, settles, prior, newInverse, newSettle, resultSha256);
  }

  /** The same of a call whose answer is kept, or not. */
  Ending named(@Nullable String sha256) {
    return new Ending(end, from, settles, prior, inverse, settle, sha256);
  }

  private Action.@Nullable Inverse inverse(Action action, Connector connector, Tool tool) {
    Tool.Inverse declared = tool.inverse();
    boolean mayHaveApplied = end instanceof End.Applied || end instanceof End.Unknown;
    if (declared == null || action.terms().undoing() != null || !mayHaveApplied) {
      return null;
    }
    JsonNode answer =
        end instanceof End.Applied applied
            ? connector.named(applied.result().result())
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
