package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.kernel.Execution.Ending;
import io.actiongovernance.kernel.Intents.Claimed;
import io.actiongovernance.kernel.Intents.Intent;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.ExecutionPolicy.ExecutionEvaluation;
import io.actiongovernance.policy.Budgets.Reserve;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.tally.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The executor: runs one action that was dispatched to it, or refuses it. In this order: what is
 * approved is still what is stored, the policy permits it now, its idempotency key, the intent to
 * call and what that takes of its limits are written, no halt covers it, then the call, then the
 * disposal. So a crash between any two steps loses nothing and repeats no effect (architecture,
 * "The governed action"). Thread-safe.
 */
public final class ExecuteAction {
  private static final String NOT_ATTEMPTED =
      "not attempted: the service could not begin the call within 24 hours";
  private static final String INTERRUPTED = "the executor was interrupted during the call";

  private final LoadExecution loadExecution;
  private final ReserveLimits limits;
  private final Intents intents;
  private final CallTool callTool;
  private final EndExecution endExecution;
  private final InstantSource clock;

  public ExecuteAction(
      LoadExecution loadExecution,
      ReserveLimits limits,
      Intents intents,
      CallTool callTool,
      EndExecution endExecution,
      InstantSource clock) {
    this.loadExecution = loadExecution;
    this.limits = limits;
    this.intents = intents;
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
        new Calling(
            execution,
            evaluation,
            loaded.connector().orElseThrow(),
            tool.get(),
            loaded.keepsAnswer());
    return claim(calling, loaded);
  }

  private Done claim(Calling calling, LoadedExecution loaded) {
    Instant now = clock.instant();
    Optional<Reserve> reserve = limits.of(calling, List.of(), null);
    Claimed claimed = intents.claim(calling.action(), reserve, calling.retrySafe(), now);
    return claimed(claimed, calling, loaded, now);
  }

  private Done claimed(Claimed claimed, Calling calling, LoadedExecution loaded, Instant now) {
    Action action = calling.action();
    Verdict verdict = calling.verdict();
    return switch (claimed) {
      case Claimed.Begun(Intent intent) -> call(calling, intent);
      case Claimed.NoRoom _ ->
          endUncalled(loaded.with(calling.execution()), Ending.limited(verdict));
      case Claimed.Repeatable of ->
          limits
              .of(calling, List.of(), of.prior())
              .map(reserve -> intents.again(action, reserve, of, now))
              .map(again -> claimed(again, calling, loaded, now))
              .orElseGet(
                  () -> endUncalled(loaded.with(calling.execution()), Ending.limited(verdict)));
      case Claimed.Interrupted(EffectClaim claim) -> interrupted(claim, calling, loaded, now);
      case Claimed.Settled _ -> execute(Dispatch.of(action));
      case Claimed.Taken(EffectClaim claim) when claim.owner().equals(action.id()) ->
          own(loaded.with(calling.execution()), verdict, claim);
      case Claimed.Taken(EffectClaim claim) -> taken(calling, claim);
      case Claimed.Mismatch(EffectClaim claim) ->
          end(calling.execution(), Ending.mismatched(verdict, claim.holder()), List.of());
    };
  }

  /**
   * Its call was interrupted: it is made once more, if the source system takes that for the first.
   */
  private Done interrupted(
      EffectClaim claim, Calling calling, LoadedExecution loaded, Instant now) {
    Optional<Claimed> resumed =
        claim.repeatable(calling.action(), calling.retrySafe(), now)
            ? limits
                .of(calling, claim.reservations(), claim.prior())
                .map(reserve -> intents.resume(calling.action(), reserve, claim, now))
                .filter(claimed -> !(claimed instanceof Claimed.NoRoom))
            : Optional.empty();
    // It may have applied, so that it must not read as refused by a limit.
    return resumed
        .map(claimed -> claimed(claimed, calling, loaded, now))
        .orElseGet(
            () ->
                end(
                    calling.execution(),
                    calling
                        .ending(Ending.abandoned(calling.verdict(), INTERRUPTED))
                        .under(claim.prior()),
                    claim.reservations()));
  }

  /** Calls, under an intent that is this invocation's. */
  private Done call(Calling calling, Intent intent) {
    Execution execution = calling.execution();
    CallTool.Called called;
    try {
      called = callTool.call(calling);
    } catch (CallTool.NotBegun e) {
      intents.takeBack(calling.action(), intent);
      throw e.trouble();
    }
    return switch (called) {
      case CallTool.Called.Answered answered -> answered(calling, intent, answered);
      case CallTool.Called.Halted _ -> {
        intents.takeBack(calling.action(), intent);
        yield execution.plan() == null ? park(execution, KernelTimes.HALT_PAUSE) : Done.YES;
      }
      case CallTool.Called.Settled _ -> settleAgain(execution);
    };
  }

  private Done answered(Calling calling, Intent intent, CallTool.Called.Answered answered) {
    Execution execution = calling.execution();
    CallResult result = answered.result();
    boolean interrupted = intent.interrupted();
    if (result instanceof CallResult.Paced(Instant notBefore)) {
      intents.takeBack(calling.action(), intent);
      return paced(execution, notBefore, interrupted);
    }
    Ending ending =
        interrupted && !(result instanceof CallResult.Applied)
            // What this call came to says nothing of the one before it.
            ? Ending.abandoned(calling.verdict(), INTERRUPTED + ", and then: " + said(result))
            : Ending.of(calling.verdict(), result).named(answered.resultSha256());
    return end(execution, calling.ending(ending).under(intent.prior()), intent.reservations());
  }

  private static String said(CallResult result) {
    return switch (result) {
      case CallResult.Failed(String error) -> error;
      case CallResult.Refused(String reason) -> reason;
      case CallResult.Unknown(String why, boolean _) -> why;
      case CallResult.Applied _, CallResult.Paced _ -> "";
    };
  }

  /**
   * Ends an action that is not to be called now. An earlier invocation may have called it, when it
   * still was to be: then what is known of that call decides, never the refusal.
   */
  private Done endUncalled(LoadedExecution loaded, Ending ending) {
    Execution execution = loaded.execution();
    Action action = execution.action();
    Optional<EffectClaim> found =
        intents.find(action).filter(own -> own.owner().equals(action.id()));
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
      Ending ending = loaded.ending(Ending.of(verdict, result).named(claim.resultSha256()));
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
      case INTENT, PACED, FREE ->
          park(
              execution, intents.free(claim, calling.action()) ? Duration.ZERO : KernelTimes.PAUSE);
    };
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

  private Done end(Execution execution, Ending ending, List<Reservation> reservations) {
    return endExecution.end(execution, ending, reservations) ? Done.YES : Done.LEAVE;
  }

  /**
   * Looks after an action whose message failed too often. If its intent was written, what is known
   * of that call decides, and a call that may be under way is waited for. If not, no attempt was
   * begun, so that nothing is known against it: the sweeper dispatches it again, later each time,
   * until {@link KernelTimes#LONGEST_WAIT} after its claim (architecture, "Nothing stays stuck").
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
    boolean begun =
        intents
            .find(execution.action())
            .filter(claim -> claim.owner().equals(execution.action().id()))
            .filter(claim -> claim.state() == State.INTENT)
            .isPresent();
    Instant last = execution.begunAt().plus(KernelTimes.LONGEST_WAIT);
    if (!begun && clock.instant().isBefore(last)) {
      return Done.YES;
    }
    Verdict verdict = execution.action().terms().verdict();
    return endUncalled(found.get(), Ending.failed(verdict, NOT_ATTEMPTED));
  }

  private Done settleAgain(Execution execution) {
    // It may have been settled when it was about to be called.
    intents.find(execution.action()).ifPresent(claim -> intents.free(claim, execution.action()));
    endExecution.finish(execution);
    return Done.YES;
  }
}
