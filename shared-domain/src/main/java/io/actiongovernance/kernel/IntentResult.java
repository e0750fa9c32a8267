package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.tally.ReservationEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Result of an attempt to state an intent. */
public sealed interface IntentResult {
  /** The intent is stated and its limits are reserved, so this invocation makes the call. */
  record Stated(Intents.Intent intent) implements IntentResult {}

  /**
   * A limit has no room for the action, and nothing else is in its way.
   *
   * @param full the reservation without room; null if the limit cannot count the action
   */
  record NoRoom(@Nullable ReservationEntry full) implements IntentResult {}

  /**
   * Another action's call under the key has an unknown outcome, and may be repeated, because the
   * source system would treat the second call as the first.
   */
  record Repeatable(EffectClaim claim, Holder prior) implements IntentResult {}

  /**
   * The key already belongs to this action, and its call was interrupted, so its outcome is
   * unknown.
   */
  record Interrupted(EffectClaim claim) implements IntentResult {}

  /** The action has been settled in the meantime, so no call may be made. */
  record Settled() implements IntentResult {}

  /** The key is taken, by this action or another, for the same effect. */
  record Taken(EffectClaim claim) implements IntentResult {}

  /** The key is taken for another effect. */
  record Mismatch(EffectClaim claim) implements IntentResult {}

  /** Returns how an existing claim obstructs the action's own claim; empty if it does not. */
  static Optional<IntentResult> obstacle(
      Action action, EffectClaim claim, @Nullable Duration retrySafe, Instant now) {
    Holder prior = claim.prior();
    boolean own = claim.owner().equals(action.id());
    if (claim.state() == State.FREE || (own && claim.state() == State.PACED && prior == null)) {
      return Optional.empty();
    }
    if (!own) {
      if (!claim.effect().equals(action.terms().effectDigest())) {
        return Optional.of(new IntentResult.Mismatch(claim));
      }
      return Optional.of(
          claim.state() == State.UNKNOWN && claim.repeatable(action, retrySafe, now)
              ? new IntentResult.Repeatable(claim, claim.holder())
              : new IntentResult.Taken(claim));
    }
    if (claim.state() == State.PACED && prior != null) {
      return Optional.of(new IntentResult.Repeatable(claim, prior));
    }
    boolean interrupted =
        claim.state() == State.INTENT
            && claim.result() == null
            && !now.isBefore(claim.leaseUntil());
    return Optional.of(
        interrupted ? new IntentResult.Interrupted(claim) : new IntentResult.Taken(claim));
  }
}
