package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.kernel.Intents.Intent;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.ExecutionPolicy.ExecutionEvaluation;
import io.actiongovernance.policy.Budgets.Reserve;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.tally.ReservationEntry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The executor: runs one dispatched action, or refuses it. It checks that the stored action is the
 * approved one and that the policy permits it now. It then writes the claim of its idempotency key,
 * the intent to call and its reservations. Last, it checks that no halt covers the action, makes
 * the call, and disposes of the action. So a crash between any two steps loses nothing and repeats
 * no effect (architecture, "The governed action"). Thread-safe.
 */
public final class ExecuteAction {
  private static final String NOT_ATTEMPTED =
      "not attempted: the service could not begin the call within 24 hours";

  private final LoadExecution loadExecution;
  private final ReserveLimits limits;
  private final Intents intents;
  private final CallTool callTool;
  private final EndExecution endExecution;
  private final RecoverCall recoverCall;
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
    this.recoverCall = new RecoverCall(loadExecution, intents, endExecution, clock);
    this.clock = clock;
  }

  /**
   * Executes the action, unless it is settled or not its turn. An action that must wait is parked,
   * never left to its message, because a hidden message holds back all others of its entity. Only
   * an exception makes the message come again.
   *
   * @param until latest end of this invocation; a call for which too little time is left is put off
   */
  public void execute(Dispatch dispatch, Instant until) {
    Optional<LoadedExecution> found = loadExecution.load(dispatch);
    if (found.isEmpty()) {
      return;
    }
    Execution execution = found.get().execution();
    if (execution.action().settled()) {
      settleAgain(execution);
    } else if (endExecution.isNext(execution)) {
      evaluate(found.get(), until);
    }
  }

  /** Executes the action in an invocation that has its whole time left. */
  public void execute(Dispatch dispatch) {
    execute(dispatch, clock.instant().plus(KernelTimes.EXECUTOR_TIMEOUT));
  }

  private void evaluate(LoadedExecution loaded, Instant until) {
    Action action = loaded.execution().action();
    ExecutionEvaluation evaluation =
        ExecutionPolicy.evaluate(
            action, loaded.operator(), loaded.execution().mandate().approved(), clock.instant());
    Execution execution = loaded.execution().under(evaluation);
    Verdict verdict = evaluation.verdict();
    Optional<Tool> tool = loaded.tool();
    if (!action.computeDigest().equals(execution.mandate().permittedDigest())) {
      recoverCall.endUncalled(loaded, Ending.refused(verdict, "approval_mismatch"));
    } else if (tool.isEmpty()) {
      recoverCall.endUncalled(loaded, Ending.refused(verdict.toolChanged(), Verdict.TOOL_CHANGED));
    } else if (evaluation.refuses() || execution.mandate().refusedAtClaim()) {
      recoverCall.endUncalled(loaded.with(execution), Ending.refused(verdict, evaluation.reason()));
    } else if (loaded.lock().filter(lock -> lock.settling(clock.instant())).isEmpty()) {
      Calling calling =
          new Calling(
              execution,
              evaluation,
              loaded.connector().orElseThrow(),
              tool.get(),
              loaded.keepsAnswer(),
              until);
      if (clock.instant().isAfter(calling.lastStart())) {
        // Parked before the intent is stated, because taking the intent back would need time too.
        endExecution.park(execution, Duration.ZERO);
      } else {
        claim(calling, loaded);
      }
    }
    // While the entity settles, nothing is done. The sweeper dispatches the action again
    // afterwards.
  }

  private void claim(Calling calling, LoadedExecution loaded) {
    Instant now = clock.instant();
    Optional<Reserve> reserve = limits.of(calling, List.of(), null);
    IntentResult claimed = intents.claim(calling.action(), reserve, calling.terms(), now);
    claimed(claimed, calling, loaded, now);
  }

  private void claimed(IntentResult claimed, Calling calling, LoadedExecution loaded, Instant now) {
    Action action = calling.action();
    Verdict verdict = calling.verdict();
    switch (claimed) {
      case IntentResult.Stated(Intent intent) ->
          call(calling.in(endExecution.lookAhead(calling.execution())), intent);
      case IntentResult.NoRoom(ReservationEntry full) -> limited(calling, loaded, full);
      case IntentResult.Repeatable of ->
          limits
              .of(calling, List.of(), of.prior())
              .map(reserve -> intents.again(action, reserve, of, calling.terms(), now))
              .ifPresentOrElse(
                  again -> claimed(again, calling, loaded, now),
                  () -> limited(calling, loaded, null));
      case IntentResult.Interrupted(EffectClaim claim) -> interrupted(claim, calling, loaded, now);
      case IntentResult.Settled _ -> execute(Dispatch.of(action), calling.until());
      case IntentResult.Taken(EffectClaim claim) when claim.owner().equals(action.id()) ->
          recoverCall.own(loaded.with(calling.execution()), verdict, claim);
      case IntentResult.Taken(EffectClaim claim) -> taken(calling, claim);
      case IntentResult.Mismatch(EffectClaim claim) ->
          endExecution.endOrPark(
              calling.execution(), Ending.mismatched(verdict, claim.holder()), List.of());
    }
  }

  private void limited(Calling calling, LoadedExecution loaded, @Nullable ReservationEntry full) {
    Verdict verdict = calling.verdict().limited(limits.refusing(calling, full));
    recoverCall.endUncalled(loaded.with(calling.execution()), Ending.limited(verdict));
  }

  /** Makes an interrupted call again, if the source system treats the second call as the first. */
  private void interrupted(
      EffectClaim claim, Calling calling, LoadedExecution loaded, Instant now) {
    Optional<IntentResult> resumed =
        claim.repeatable(calling.action(), calling.terms().retrySafe(), now)
            ? limits
                .of(calling, claim.reservations(), claim.prior())
                .map(reserve -> intents.resume(calling.action(), reserve, claim, now))
                .filter(claimed -> !(claimed instanceof IntentResult.NoRoom))
            : Optional.empty();
    // The call may have applied, so it must not be reported as refused by a limit.
    resumed.ifPresentOrElse(
        claimed -> claimed(claimed, calling, loaded, now),
        () ->
            endExecution.endOrPark(
                calling.execution(),
                calling
                    .ending(Ending.abandoned(calling.verdict(), RecoverCall.INTERRUPTED))
                    .under(claim.prior()),
                claim.reservations()));
  }

  private void call(Calling calling, Intent intent) {
    Execution execution = calling.execution();
    CallTool.Called called;
    try {
      called = callTool.call(calling);
    } catch (CallTool.NotBegun e) {
      intents.takeBack(calling.action(), intent);
      throw e.trouble();
    }
    switch (called) {
      case CallTool.Called.Answered answered -> answered(calling, intent, answered);
      case CallTool.Called.Halted(boolean known) -> {
        intents.takeBack(calling.action(), intent);
        if (!known) {
          endExecution.park(execution, KernelTimes.PAUSE);
        } else if (execution.plan() == null) {
          endExecution.park(execution, KernelTimes.HALT_PAUSE);
        }
      }
      case CallTool.Called.Settled _ -> settleAgain(execution);
    }
  }

  private void answered(Calling calling, Intent intent, CallTool.Called.Answered answered) {
    Execution execution = calling.execution();
    CallResult result = answered.result();
    boolean interrupted = intent.interrupted();
    if (result instanceof CallResult.Paced(Instant notBefore)) {
      intents.takeBack(calling.action(), intent);
      paced(execution, notBefore, interrupted);
      return;
    }
    Ending ending =
        interrupted && !(result instanceof CallResult.Applied)
            // This call's result says nothing about the interrupted call before it.
            ? Ending.abandoned(
                calling.verdict(), RecoverCall.INTERRUPTED + ", and then: " + said(result))
            : Ending.of(calling.verdict(), result).named(answered.resultSha256());
    endExecution.endOrPark(
        execution, calling.ending(ending).under(intent.prior()), intent.reservations());
  }

  private static String said(CallResult result) {
    return switch (result) {
      case CallResult.Failed(String error) -> error;
      case CallResult.Refused(String reason) -> reason;
      case CallResult.Unknown(String why, boolean _) -> why;
      case CallResult.Applied _, CallResult.Paced _ -> "";
    };
  }

  /** Handles another action's claim of the same idempotency key, for the same effect. */
  private void taken(Calling calling, EffectClaim claim) {
    Execution execution = calling.execution();
    switch (claim.state()) {
      case APPLIED ->
          endExecution.endOrPark(
              execution, Ending.deduplicated(calling.verdict(), claim.holder()), List.of());
      case UNKNOWN ->
          endExecution.endOrPark(
              execution, Ending.unknownElsewhere(calling.verdict(), claim.holder()), List.of());
      case INTENT, PACED, FREE ->
          endExecution.park(
              execution, intents.free(claim, calling.action()) ? Duration.ZERO : KernelTimes.PAUSE);
    }
  }

  /** Parks an action whose call was put off because of the pace. */
  private void paced(Execution execution, Instant notBefore, boolean interrupted) {
    Duration pause = Duration.between(clock.instant(), notBefore);
    Duration least = interrupted ? KernelTimes.LEASE : Duration.ZERO;
    endExecution.park(execution, least.compareTo(pause) > 0 ? least : pause);
  }

  /**
   * Handles an action whose message failed too often. If its intent was written, the known result
   * of that call decides, and a call that may be in progress is waited for. If not, no attempt was
   * begun. The sweeper then dispatches the action again, at growing intervals, until {@link
   * KernelTimes#LONGEST_WAIT} after its claim (architecture, "Nothing stays stuck").
   */
  public void giveUp(Dispatch dispatch) {
    Optional<LoadedExecution> found = loadExecution.load(dispatch);
    if (found.isEmpty() || !endExecution.isNext(found.get().execution())) {
      return;
    }
    Execution execution = found.get().execution();
    if (execution.action().settled()) {
      settleAgain(execution);
      return;
    }
    boolean begun =
        intents
            .find(execution.action())
            .filter(claim -> claim.owner().equals(execution.action().id()))
            .filter(claim -> claim.state() == State.INTENT)
            .isPresent();
    Instant last = execution.mandate().begunAt().plus(KernelTimes.LONGEST_WAIT);
    if (begun || !clock.instant().isBefore(last)) {
      Verdict verdict = execution.action().terms().verdict();
      recoverCall.endUncalled(found.get(), Ending.failed(verdict, NOT_ATTEMPTED));
    }
  }

  private void settleAgain(Execution execution) {
    // The action may have been settled just before its call, and then leaves a claim.
    intents.find(execution.action()).ifPresent(claim -> intents.free(claim, execution.action()));
    endExecution.finish(execution);
  }
}
