package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.tally.ReservationEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an attempt to state an intent came to. */
public sealed interface IntentResult {
  /** It is stated, and its limits are reserved: the call is this invocation's to make. */
  record Stated(Intents.Intent intent) implements IntentResult {}

  /**
   * A limit has no room for it, and nothing else is in its way.
   *
   * @param full where there was none; null if the limit cannot count the action
   */
  record NoRoom(@Nullable ReservationEntry full) implements IntentResult {}

  /**
   * Another's call under the key, whose outcome is unknown, may be made once more, since the source
   * system takes a second one for the first.
   */
  record Repeatable(EffectClaim claim, Holder prior) implements IntentResult {}

  /**
   * The key was this action's already, and its call was interrupted: nobody knows what came of it.
   */
  record Interrupted(EffectClaim claim) implements IntentResult {}

  /** The action has been settled meanwhile: nothing is to be called. */
  record Settled() implements IntentResult {}

  /** It is taken, by this action or another, for the same effect. */
  record Taken(EffectClaim claim) implements IntentResult {}

  /** It is taken for another effect. */
  record Mismatch(EffectClaim claim) implements IntentResult {}

  /** What it is that a claim puts in the way of an action's; empty if nothing. */
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
