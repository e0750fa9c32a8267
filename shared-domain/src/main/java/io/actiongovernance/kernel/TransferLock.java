package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.kernel.ClaimPlan.LockTransfer;
import io.actiongovernance.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the lock of an entity over to the oldest plan that waits for it, which is claimed by the
 * transaction that disposes of the action that had the lock: so there is no moment at which nobody
 * has it and a newer plan comes first, and none at which it is held for a plan that is not claimed.
 * Where that takes more than the lock, or something is in the way, nothing is handed over: the lock
 * is given back, and {@link RunNextPlan} sees to it. Thread-safe.
 */
public final class TransferLock {
  /**
   * For how long after an action was loaded the next plan is looked at before the disposal: what
   * took longer has no time to spare for it.
   */
  private static final Duration IN_TIME = Duration.ofSeconds(5);

  /** For how long a look that was begun before the call is good: after that it is taken again. */
  private static final Duration GOOD = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(TransferLock.class);

  private final EntityLocks locks;
  private final ClaimPlan claimPlan;
  private final FinishPlan finishPlan;
  private final Dispatcher dispatcher;
  private final Executor beside;
  private final InstantSource clock;

  /**
   * @param beside runs looks while calls are made
   */
  public TransferLock(
      EntityLocks locks,
      ClaimPlan claimPlan,
      FinishPlan finishPlan,
      Dispatcher dispatcher,
      Executor beside,
      InstantSource clock) {
    this.locks = locks;
    this.claimPlan = claimPlan;
    this.finishPlan = finishPlan;
    this.dispatcher = dispatcher;
    this.beside = beside;
    this.clock = clock;
  }

  /**
   * A look at who waits, under way beside the call.
   *
   * @param begunAt what it finds is as of then, or later
   */
  record Look(Future<Optional<LockTransfer>> found, Instant begunAt) {}

  /**
   * The same execution, with a look under way if somebody waits. It reads, no more: whatever it
   * finds, the transaction that hands over asks for it anew, by its conditions.
   */
  Execution lookAhead(Execution execution) {
    if (!isWaitedFor(execution)) {
      return execution;
    }
    Instant now = clock.instant();
    FutureTask<Optional<LockTransfer>> look = new FutureTask<>(() -> look(execution));
    beside.execute(look);
    return execution.lookingAhead(new Look(look, now));
  }

  /** The claim of the plan that the lock can be handed over to; empty if it can be to none. */
  Optional<LockTransfer> next(Execution execution, Ending ending) {
    if (!isWaitedFor(execution) || !ending.settle().isZero()) {
      return Optional.empty();
    }
    try {
      Optional<LockTransfer> ahead = lookedAhead(execution.ahead());
      return ahead.isPresent() ? ahead : look(execution);
    } catch (RuntimeException e) { // what is known of the call does not wait for that
      LOG.warn("Who waits for the lock of {} could not be looked at", execution.action().id(), e);
      return Optional.empty();
    }
  }

  private boolean isWaitedFor(Execution execution) {
    Instant waitedAt = execution.waitedAt();
    return waitedAt != null
        && clock.instant().isBefore(waitedAt.plus(IN_TIME))
        && execution.mandate().hasLockOfItsOwn();
  }

  private Optional<LockTransfer> look(Execution execution) {
    Action action = execution.action();
    EntityKey entityKey = action.terms().entityKey();
    return locks
        .waiters()
        .nextWaiter(action.partition(), entityKey, null)
        .flatMap(
            waiter ->
                claimPlan.transfer(
                    action.partition(), entityKey, execution.mandate().lockHolder(), waiter));
  }

  /** What it found, if that is still good; whoever came to wait since is met by another look. */
  private Optional<LockTransfer> lookedAhead(@Nullable Look look) {
    if (look == null || !clock.instant().isBefore(look.begunAt().plus(GOOD))) {
      return Optional.empty();
    }
    try {
      return look.found().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException trouble) {
        throw trouble;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e); // a look throws nothing else
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * Sets the plan going that has the lock now. What goes wrong with it is not its predecessor's
   * matter.
   */
  void start(LockTransfer transfer) {
    try {
      finishPlan.start(transfer.plan(), transfer.actions());
    } catch (RuntimeException e) {
      lookAgain(transfer, e);
    }
  }

  /** Has a plan looked at soon that may have the lock now. */
  void lookAgain(LockTransfer transfer, RuntimeException trouble) {
    Plan plan = transfer.plan();
    LOG.atWarn()
        .setCause(trouble)
        .addKeyValue("plan_id", plan.id().value())
        .log("A plan that a lock was handed over to could not be run");
    dispatcher.wake(plan.partition(), plan.id(), KernelTimes.PAUSE);
  }
}
