package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.policy.Verdict;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What happens now to an action of which an earlier attempt has left a claim: what is stored of
 * that attempt decides, and nothing is called. Thread-safe.
 */
final class RecoverCall {
  static final String INTERRUPTED = "the executor was interrupted during the call";

  private final LoadExecution loadExecution;
  private final Intents intents;
  private final EndExecution endExecution;
  private final InstantSource clock;

  RecoverCall(
      LoadExecution loadExecution,
      Intents intents,
      EndExecution endExecution,
      InstantSource clock) {
    this.loadExecution = loadExecution;
    this.intents = intents;
    this.endExecution = endExecution;
    this.clock = clock;
  }

  /**
   * Ends an action that is not to be called now. An earlier invocation may have called it, when it
   * still was to be: then what is known of that call decides, never the refusal.
   */
  void endUncalled(LoadedExecution loaded, Ending ending) {
    Execution execution = loaded.execution();
    Action action = execution.action();
    Optional<EffectClaim> found =
        intents.find(action).filter(own -> own.owner().equals(action.id()));
    if (found.isEmpty()) {
      endExecution.endOrPark(execution, ending, List.of());
      return;
    }
    EffectClaim claim = found.get();
    switch (claim.state()) {
      case INTENT -> endCalled(loaded, claim);
      case PACED -> end(loaded, ending.afterPacing(), claim);
      case APPLIED, UNKNOWN -> {
        if (isOpen(action)) {
          recordAgain(loaded, claim);
        } else {
          endExecution.endOrPark(execution, ending, List.of());
        }
      }
      case FREE -> endExecution.endOrPark(execution, ending, List.of());
    }
  }

  /** The same of one that an earlier invocation stated its intent to call. */
  private void endCalled(LoadedExecution loaded, EffectClaim claim) {
    // What it was called under is what counts, whatever the guardrails have come to say since.
    Verdict called = loaded.execution().action().terms().verdict();
    if (claim.result() == null && !clock.instant().isBefore(claim.leaseUntil())) {
      Ending abandoned = loaded.ending(Ending.abandoned(called, INTERRUPTED), claim);
      end(loaded, abandoned, claim);
    } else {
      own(loaded, called, claim);
    }
  }

  /** This action's own claim, under which a call was made or may be under way. */
  void own(LoadedExecution loaded, Verdict verdict, EffectClaim claim) {
    CallResult result = claim.result();
    if (claim.state() == State.INTENT && result != null) {
      Ending ending = loaded.ending(Ending.of(verdict, result).named(claim.resultSha256()), claim);
      end(loaded, ending, claim);
      return;
    }
    if ((claim.state() == State.APPLIED || claim.state() == State.UNKNOWN)
        && isOpen(loaded.execution().action())) {
      recordAgain(loaded, claim);
      return;
    }
    // One that is no intent any more has been disposed of since this was loaded.
    Duration leased = Duration.between(clock.instant(), claim.leaseUntil());
    endExecution.park(
        loaded.execution(),
        claim.state() == State.INTENT && leased.isPositive() ? leased : KernelTimes.PAUSE);
  }

  /** Whether the action is open, read after its claim. */
  private boolean isOpen(Action action) {
    return loadExecution
        .load(Dispatch.of(action))
        .filter(found -> !found.execution().action().settled())
        .isPresent();
  }

  /**
   * An action is open whose own claim says what came of its call: both are written at once, so its
   * row is older, from a table that was restored. What the claim says is recorded; nothing is
   * called, whatever has come to be in its way.
   */
  private void recordAgain(LoadedExecution loaded, EffectClaim claim) {
    Verdict called = loaded.execution().action().terms().verdict();
    end(loaded, loaded.ending(Ending.again(called, claim.state()), claim), claim);
  }

  /** Ends it with what the claim holds: who had the key before, and what is reserved. */
  private void end(LoadedExecution loaded, Ending ending, EffectClaim claim) {
    endExecution.endOrPark(loaded.execution(), ending.under(claim.prior()), claim.reservations());
  }
}
