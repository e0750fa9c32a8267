package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.kernel.EffectClaims.Claimed;
import io.actiongovernance.kernel.EffectClaims.EffectClaim;
import io.actiongovernance.kernel.EffectClaims.Holder;
import io.actiongovernance.kernel.EffectClaims.State;
import io.actiongovernance.kernel.Execution.Ending;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.ExecutionPolicy.ExecutionEvaluation;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.ReserveResult;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The executor: runs one action that was dispatched to it, or refuses it. In this order: what is
 * approved is still what is stored, the policy permits it now, its idempotency key and the intent
 * to call are written, its limits are reserved, no halt covers it, then the call, then the
 * disposal. So a crash between any two steps loses nothing and repeats no effect (architecture,
 * "The governed action"). Thread-safe.
 */
public final class ExecuteAction {
  private static final String INTERRUPTED = "the executor was interrupted during the call";

  private final LoadExecution loadExecution;
  private final ReserveLimits limits;
  private final EffectClaims claims;
  private final CallTool callTool;
  private final EndExecution endExecution;
  private final InstantSource clock;

  public ExecuteAction(
      LoadExecution loadExecution,
      ReserveLimits limits,
      EffectClaims claims,
      CallTool callTool,
      EndExecution endExecution,
      InstantSource clock) {
    this.loadExecution = loadExecution;
    this.limits = limits;
    this.claims = claims;
    this.callTool = callTool;
    this.endExecution = endExecution;
    this.clock = clock;
  }

  /** What is to become of the message that dispatched an action. */
  public enum Done {
    /** It has done its part: the action is disposed, or parked, or not its turn. */
    YES,
    /** Another invocation may be calling: leave the message to come again. */
    LEAVE
  }

  /** Executes the action, unless it is settled or not its turn. */
  public Done execute(Dispatch dispatch) {
    Optional<LoadedExecution> found = loadExecution.load(dispatch);
    if (found.isEmpty()) {
      return Done.YES;
    }
    Execution execution = found.get().execution();
    if (execution.action().settled()) {
      return settleAgain(execution);
    }
    return endExecution.isNext(execution) ? evaluate(found.get()) : Done.YES;
  }

  private Done evaluate(LoadedExecution loaded) {
    Action action = loaded.execution().action();
    ExecutionEvaluation evaluation =
        ExecutionPolicy.evaluate(action, loaded.operator(), loaded.execution().approved());
    Execution execution = loaded.execution().under(evaluation.changedBy());
    Verdict verdict = evaluation.verdict();
    if (!action.computeDigest().equals(execution.permittedDigest())) {
      return endUncalled(loaded, Ending.refused(verdict, "approval_mismatch"));
    }
    Optional<Tool> tool = loaded.tool();
    if (tool.isEmpty()) {
      return endUncalled(loaded, Ending.refused(verdict.toolChanged(), Verdict.TOOL_CHANGED));
    }
    if (evaluation.refuses() || execution.refusedAtClaim()) {
      return endUncalled(loaded.with(execution), Ending.refused(verdict, evaluation.reason()));
    }
    if (loaded.lock().filter(lock -> lock.settling(clock.instant())).isPresent()) {
      // The sweeper has it dispatched again when the entity has settled.
      return Done.YES;
    }
    Calling calling =
        new Calling(execution, evaluation, loaded.connector().orElseThrow(), tool.get());
    return claim(calling, loaded);
  }

  private Done claim(Calling calling, LoadedExecution loaded) {
    Action action = calling.action();
    Instant now = clock.instant();
    Claimed claimed =
        claims.claim(
            action,
            limits.reservations(calling),
            calling.retrySafe(),
            now,
            now.plus(KernelTimes.LEASE));
    return switch (claimed) {
      case Claimed.Fresh _ -> reserveAndCall(calling, List.of(), false, null);
      case Claimed.Again(Holder prior) -> reserveAndCall(calling, List.of(), false, prior);
      case Claimed.Interrupted(EffectClaim claim) ->
          claim.repeatable(action, calling.retrySafe(), now)
              ? reserveAndCall(calling, claim.reservations(), true, claim.prior())
              : end(
                  calling.execution(),
                  calling
                      .ending(Ending.abandoned(calling.verdict(), INTERRUPTED))
                      .under(claim.prior()),
                  claim.reservations());
      case Claimed.Settled _ -> execute(Dispatch.of(action));
      case Claimed.Taken(EffectClaim claim) when claim.owner().equals(action.id()) ->
          own(loaded.with(calling.execution()), calling.verdict(), claim);
      case Claimed.Taken(EffectClaim claim) -> taken(calling, claim);
      case Claimed.Mismatch(EffectClaim claim) ->
          end(calling.execution(), Ending.mismatched(calling.verdict(), claim.holder()), List.of());
    };
  }

  /**
   * Reserves the limits of the guardrail that decided, then calls. Only the owner of the intent
   * comes here, so that nobody counts an action that another invocation has settled.
   *
   * @param kept what is reserved for the interrupted call, and stays so until its outcome is known
   * @param interrupted whether an earlier call of this action was interrupted
   * @param prior the action under whose unknown key this one calls again, or null
   */
  private Done reserveAndCall(
      Calling calling, List<String> kept, boolean interrupted, @Nullable Holder prior) {
    Verdict verdict = calling.verdict();
    Execution execution = calling.execution();
    Guardrail guardrail = calling.evaluation().guardrail();
    List<String> reservations = kept;
    if (guardrail != null && !guardrail.limits().isEmpty()) {
      switch (reserveOrTakeBack(calling, guardrail, interrupted, prior)) {
        case ReserveResult.Exceeded _ -> {
          // The interrupted call may have applied, so it must not read as refused.
          Ending ending =
              interrupted ? Ending.abandoned(verdict, INTERRUPTED) : Ending.limited(verdict);
          return end(execution, calling.ending(ending).under(prior), reservations);
        }
        case ReserveResult.Reserved(List<String> reserved) ->
            reservations =
                Stream.concat(reservations.stream(), reserved.stream()).distinct().toList();
      }
    }
    Optional<CallResult> called = callTool.call(calling);
    if (called.isEmpty()) {
      putOff(calling, reservations, interrupted);
      return execution.plan() == null ? park(execution, KernelTimes.HALT_PAUSE) : Done.YES;
    }
    CallResult result = called.get();
    if (result instanceof CallResult.Paced(Instant notBefore)) {
      putOff(calling, reservations, interrupted);
      return paced(execution, notBefore, interrupted);
    }
    Ending ending =
        interrupted && !(result instanceof CallResult.Applied)
            // What this call came to says nothing of the one before it.
            ? Ending.abandoned(verdict, INTERRUPTED + ", and then: " + said(result))
            : Ending.of(verdict, result);
    return end(execution, calling.ending(ending).under(prior), reservations);
  }

  private static String said(CallResult result) {
    return switch (result) {
      case CallResult.Failed(String error) -> error;
      case CallResult.Refused(String reason) -> reason;
      case CallResult.Unknown(String why, boolean _) -> why;
      case CallResult.Applied _, CallResult.Paced _ -> "";
    };
  }

  /** A store that does not answer takes the intent back: nothing was called under it. */
  private ReserveResult reserveOrTakeBack(
      Calling calling, Guardrail guardrail, boolean interrupted, @Nullable Holder prior) {
    try {
      return limits.reserve(calling, guardrail, prior);
    } catch (StoreUnavailable e) {
      putOff(calling, limits.reservations(calling), interrupted);
      throw e;
    }
  }

  /**
   * Ends an action that is not to be called now. An earlier invocation may have called it, when it
   * still was to be: then what is known of that call decides, never the refusal.
   */
  private Done endUncalled(LoadedExecution loaded, Ending ending) {
    Execution execution = loaded.execution();
    Action action = execution.action();
    Optional<EffectClaim> found =
        claims.find(action).filter(own -> own.owner().equals(action.id()));
    if (found.isEmpty()) {
      return end(execution, ending, List.of());
    }
    EffectClaim claim = found.get();
    if (claim.state() == State.PACED) {
      return end(execution, ending.afterPacing().under(claim.prior()), claim.reservations());
    }
    if (claim.state() != State.INTENT) {
      return end(execution, ending, List.of());
    }
    boolean callMayGoOn = clock.instant().isBefore(claim.leaseUntil());
    // What it was called under is what counts, whatever the guardrails have come to say since.
    Verdict called = action.terms().verdict();
    if (claim.result() == null && !callMayGoOn) {
      Ending abandoned = loaded.ending(Ending.abandoned(called, INTERRUPTED));
      return end(execution, abandoned.under(claim.prior()), claim.reservations());
    }
    return own(loaded, called, claim);
  }

  /** This action's own claim, under which a call was made or may be under way. */
  private Done own(LoadedExecution loaded, Verdict verdict, EffectClaim claim) {
    CallResult result = claim.result();
    if (claim.state() == State.INTENT && result != null) {
      Ending ending = loaded.ending(Ending.of(verdict, result));
      return end(loaded.execution(), ending.under(claim.prior()), claim.reservations());
    }
    // Not left to come again by itself: hidden anew, the message would come long after the lease.
    Duration leased = Duration.between(clock.instant(), claim.leaseUntil());
    return claim.state() == State.INTENT && leased.isPositive()
        ? park(loaded.execution(), leased)
        : Done.LEAVE;
  }

  /** Another action's claim of the same idempotency key, for the same effect. */
  private Done taken(Calling calling, EffectClaim claim) {
    Execution execution = calling.execution();
    return switch (claim.state()) {
      case APPLIED ->
          end(execution, Ending.deduplicated(calling.verdict(), claim.holder()), List.of());
      case UNKNOWN ->
          end(execution, Ending.unknownElsewhere(calling.verdict(), claim.holder()), List.of());
      case INTENT, PACED, FREE -> park(execution, KernelTimes.PAUSE);
    };
  }

  /**
   * Takes back an intent under which nothing was called, and what its limits reserved: what waits
   * may come to be evaluated by other guardrails, and may wait for longer than their windows. An
   * intent that stands for an interrupted call is left to run out.
   */
  private void putOff(Calling calling, List<String> reservations, boolean interrupted) {
    if (!interrupted) {
      limits.giveBack(calling.action(), reservations);
      claims.putOff(calling.action());
    }
  }

  /** A call that was not made, for the sake of the pace. */
  private Done paced(Execution execution, Instant notBefore, boolean interrupted) {
    Duration pause = Duration.between(clock.instant(), notBefore);
    if (interrupted) {
      return park(execution, KernelTimes.LEASE.compareTo(pause) > 0 ? KernelTimes.LEASE : pause);
    }
    return park(execution, pause.isNegative() ? Duration.ZERO : pause);
  }

  private Done park(Execution execution, Duration pause) {
    endExecution.park(execution, pause);
    return Done.YES;
  }

  private Done end(Execution execution, Ending ending, List<String> reservations) {
    return endExecution.end(execution, ending, reservations) ? Done.YES : Done.LEAVE;
  }

  /**
   * Disposes of an action whose message failed too often: unknown if its intent was written, failed
   * if not (architecture, "Nothing stays stuck"). A call that may be under way is waited for, and
   * what is not its turn yet is dispatched again when it is.
   */
  public Done giveUp(Dispatch dispatch) {
    Optional<LoadedExecution> found = loadExecution.load(dispatch);
    if (found.isEmpty() || !endExecution.isNext(found.get().execution())) {
      return Done.YES;
    }
    Execution execution = found.get().execution();
    if (execution.action().settled()) {
      return settleAgain(execution);
    }
    Verdict verdict = execution.action().terms().verdict();
    return endUncalled(
        found.get(), Ending.failed(verdict, "The executor failed too often to call."));
  }

  private Done settleAgain(Execution execution) {
    endExecution.settleAgain(execution);
    return Done.YES;
  }
}
