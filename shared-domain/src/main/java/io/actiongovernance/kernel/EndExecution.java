package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.tally.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Disposes of actions or parks them, and resumes the plans that wait for them. Thread-safe. */
public final class EndExecution {
  private final DisposeAction disposeAction;
  private final FinishPlan finishPlan;
  private final TransferLock transferLock;
  private final RunNextPlan runNextPlan;
  private final Dispatcher dispatcher;

  public EndExecution(
      DisposeAction disposeAction,
      FinishPlan finishPlan,
      TransferLock transferLock,
      RunNextPlan runNextPlan,
      Dispatcher dispatcher) {
    this.disposeAction = disposeAction;
    this.finishPlan = finishPlan;
    this.transferLock = transferLock;
    this.runNextPlan = runNextPlan;
    this.dispatcher = dispatcher;
  }

  /**
   * Returns whether it is the action's turn, because every earlier action on its entity is
   * disposed.
   */
  boolean isNext(Execution execution) {
    Plan plan = execution.plan();
    return plan == null
        || execution.mandate().refusedAtClaim()
        || finishPlan.isNext(plan, execution.action());
  }

  /** Dispatches the action again after a pause. */
  void park(Execution execution, Duration pause) {
    dispatcher.dispatchLater(Dispatch.of(execution.action()), pause);
  }

  /**
   * Returns the execution with a lookup in progress, which finds the plan that gets the action's
   * lock next.
   */
  Execution lookAhead(Execution execution) {
    return transferLock.lookAhead(execution);
  }

  /**
   * Disposes of the action.
   *
   * @return false if it was not disposed, because another invocation may be making its call
   */
  boolean end(Execution execution, Ending ending, List<Reservation> reservations) {
    Optional<ClaimPlan.LockTransfer> next = transferLock.next(execution, ending);
    if (next.isPresent() && handedOver(execution, ending, reservations, next.get())) {
      finish(execution, () -> transferLock.start(next.get()), !execution.endsItsPlan());
      return true;
    }
    DisposeAction.Disposed disposed = disposeAction.dispose(execution, ending, reservations);
    if (disposed != DisposeAction.Disposed.NOT) {
      boolean before = disposed == DisposeAction.Disposed.BEFORE;
      finish(
          execution,
          before || disposed == DisposeAction.Disposed.WAITED_FOR
              ? () -> runNext(execution.action())
              : () -> {},
          before || !execution.endsItsPlan());
    }
    return disposed != DisposeAction.Disposed.NOT;
  }

  /** Disposes of the action, or parks it if another invocation may be making its call. */
  void endOrPark(Execution execution, Ending ending, List<Reservation> reservations) {
    if (!end(execution, ending, reservations)) {
      park(execution, KernelTimes.PAUSE);
    }
  }

  private boolean handedOver(
      Execution execution,
      Ending ending,
      List<Reservation> reservations,
      ClaimPlan.LockTransfer next) {
    try {
      return disposeAction.handOver(execution, ending, reservations, next.writes());
    } catch (RuntimeException e) {
      // A failure of the next plan must not affect this action, and the transfer may have been
      // written.
      transferLock.lookAgain(next, e);
      return false;
    }
  }

  /** Resumes what waits for an action that is already disposed: a plan may wait for its lock. */
  void finish(Execution execution) {
    finish(execution, () -> runNext(execution.action()), true);
  }

  private void runNext(Action action) {
    runNextPlan.run(action.partition(), action.terms().entityKey());
  }

  /**
   * Resumes what waits for the end of a settled action. Nobody waits for the end of a plan that is
   * not held, so in that case the next plan for its lock comes first.
   *
   * @param next passes the lock that the action had alone to the next plan in line
   * @param open whether a plan with no other running action may not have ended yet
   */
  private void finish(Execution execution, Runnable next, boolean open) {
    Plan plan = execution.plan();
    Action action = execution.action();
    boolean alone = execution.mandate().hasLockOfItsOwn();
    Plan ending = alone && open ? plan : null;
    if (ending != null && ending.terms().held()) {
      finishPlan.end(ending);
    }
    if (alone) {
      next.run();
    } else if (plan != null && finishPlan.after(plan, action)) {
      runNext(action);
    }
    if (ending != null && !ending.terms().held()) {
      finishPlan.end(ending);
    }
  }
}
