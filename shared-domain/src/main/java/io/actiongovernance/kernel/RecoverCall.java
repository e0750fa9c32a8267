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
 * Decides on an action for which an earlier attempt has left a claim. The stored state of that
 * attempt decides, and nothing is called. Thread-safe.
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
   * Ends an action that will not be called. If an earlier invocation may have called it, the known
   * result of that call decides, never this refusal.
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

  /** Ends an action if an earlier invocation stated its intent to call. */
  private void endCalled(LoadedExecution loaded, EffectClaim claim) {
    // The verdict under which it was called counts, even if the guardrails now decide otherwise.
    Verdict called = loaded.execution().action().terms().verdict();
    if (claim.result() == null && !clock.instant().isBefore(claim.leaseUntil())) {
      Ending abandoned = loaded.ending(Ending.abandoned(called, INTERRUPTED), claim);
      end(loaded, abandoned, claim);
    } else {
      own(loaded, called, claim);
    }
  }

  /** Handles this action's own claim, under which a call was made or may be in progress. */
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
    // A claim that is no longer an intent means that the action has been disposed of since it was
    // loaded.
    Duration leased = Duration.between(clock.instant(), claim.leaseUntil());
    endExecution.park(
        loaded.execution(),
        claim.state() == State.INTENT && leased.isPositive() ? leased : KernelTimes.PAUSE);
  }

  /** Returns whether the action is open, read after its claim. */
  private boolean isOpen(Action action) {
    return loadExecution
        .load(Dispatch.of(action))
        .filter(found -> !found.execution().action().settled())
        .isPresent();
  }

  /**
   * Records the result from the claim of an action that is still open. Claim and disposal are
   * written together, so the action's row must come from a restored, older table. Nothing is
   * called, even if something is now in its way.
   */
  private void recordAgain(LoadedExecution loaded, EffectClaim claim) {
    Verdict called = loaded.execution().action().terms().verdict();
    end(loaded, loaded.ending(Ending.again(called, claim.state()), claim), claim);
  }

  /** Ends the action with the claim's earlier holder of the key and its reservations. */
  private void end(LoadedExecution loaded, Ending ending, EffectClaim claim) {
    endExecution.endOrPark(loaded.execution(), ending.under(claim.prior()), claim.reservations());
  }
}
