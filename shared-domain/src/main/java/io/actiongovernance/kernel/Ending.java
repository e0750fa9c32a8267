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
 * End of an execution, with the consequences for its claim, its entity and its answer. Immutable.
 *
 * @param from the state that the action's own claim must be in, if this settles the claim
 * @param settles the new state of the action's own claim; null if it has none
 * @param prior the action whose unknown call under the idempotency key this one repeated, or null
 * @param settle how long its entity settles; zero unless its call may still be at work
 * @param resultSha256 digest that finds the call's answer; null if the answer is not kept
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

  static Ending refused(Verdict verdict, @Nullable String reason) {
    return new Ending(new End.Refused(verdict, reason, null), null);
  }

  static Ending limited(Verdict verdict) {
    return refused(verdict, "limit_exceeded");
  }

  static Ending deduplicated(Verdict verdict, Holder holder) {
    return new Ending(new End.Deduplicated(verdict, holder), null);
  }

  static Ending mismatched(Verdict verdict, Holder holder) {
    return new Ending(new End.Refused(verdict, "idempotency_mismatch", holder), null);
  }

  /** The action was not called, for a reason other than the policy. */
  static Ending failed(Verdict verdict, String error) {
    return new Ending(new End.Failed(verdict, error, null), null);
  }

  /**
   * Nobody can know whether another action's call under the same key took effect, and the action
   * itself was not called.
   */
  static Ending unknownElsewhere(Verdict verdict, Holder holder) {
    return new Ending(new End.Unknown(verdict, elsewhere(holder), null, holder), null);
  }

  private static String elsewhere(Holder holder) {
    return "the outcome of " + holder.action() + " under the same idempotency key is not known";
  }

  /**
   * The claim records the action's own call, but the action's row was restored to a time before
   * that call.
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

  /** Nobody can know whether the action's own call took effect, because its invocation died. */
  static Ending abandoned(Verdict verdict, String why) {
    return of(verdict, new CallResult.Unknown(why, false));
  }

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

  /** Returns the source system's name for the effect; null if it gives none or nothing applied. */
  @Nullable String reference() {
    return end instanceof End.Applied applied ? applied.result().reference() : null;
  }

  /** Returns this ending for an action whose call had been put off. Its key becomes free again. */
  Ending afterPacing() {
    return new Ending(end, State.PACED, State.FREE, prior, inverse, settle, resultSha256);
  }

  /**
   * Returns this ending for an action that called again under a key whose effect is unknown.
   * Applied stays applied, whichever call it was. Refused means that it was not called again. Any
   * other end leaves the effect unknown.
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

  /** Returns whether the call may still be at work. */
  private boolean atWork() {
    return end instanceof End.Unknown unknown
        && unknown.result() != null
        && !unknown.result().answered();
  }

  /**
   * Returns this ending with the additions from the connector's tool. These are the inverse, if the
   * effect took place or may have, and how long the entity settles after a call that may still be
   * at work.
   */
  Ending of(Action action, Connector connector, Tool tool) {
    return settling(
        inverse(action, connector, tool),
        atWork() && tool.hasSideEffects() ? connector.settle() : Duration.ZERO);
  }

  /**
   * Returns this ending if the tool is no longer the one that was called. The entity then settles
   * as its connector says. Without a connector, it settles as the connector said when the call was
   * made, or by default.
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

  /** Returns this ending with the digest of the call's kept answer; null if it is not kept. */
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

  /** Returns whether the inverse, called with these arguments, is about the action's own entity. */
  private static boolean undoes(Tool inverse, ObjectNode args, Action action) {
    return Binding.bindInverse(inverse, args, action.terms().facts()).isPresent();
  }
}
