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
 * Transfers the lock of an entity to the oldest waiting plan. The transaction that disposes of the
 * lock's last action also claims that plan. So a newer plan never comes first, and the lock is
 * never held for an unclaimed plan. If the claim needs more than the lock, or has an obstacle, the
 * lock is released instead, and {@link RunNextPlan} takes over. Thread-safe.
 */
public final class TransferLock {
  /**
   * Time after an action was loaded during which the next plan is looked up before the disposal. A
   * slower execution has no time for the lookup.
   */
  private static final Duration IN_TIME = Duration.ofSeconds(5);

  /**
   * Time for which a lookup that was begun before the call is valid; after it, the lookup is
   * repeated.
   */
  private static final Duration GOOD = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(TransferLock.class);

  private final EntityLocks locks;
  private final ClaimPlan claimPlan;
  private final FinishPlan finishPlan;
  private final Dispatcher dispatcher;
  private final Executor beside;
  private final InstantSource clock;

  /**
   * @param beside runs lookups while calls are made
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
   * Lookup of the next waiter, which runs in parallel with the call.
   *
   * @param begunAt the result is as of this time, or later
   */
  record Look(Future<Optional<LockTransfer>> found, Instant begunAt) {}

  /**
   * Returns the execution, with a lookup in progress if a plan waits. The lookup only reads. The
   * transaction that transfers the lock checks everything again by its conditions.
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

  /** Returns the claim of the plan that can get the lock; empty if none can. */
  Optional<LockTransfer> next(Execution execution, Ending ending) {
    if (!isWaitedFor(execution) || !ending.settle().isZero()) {
      return Optional.empty();
    }
    try {
      Optional<LockTransfer> ahead = lookedAhead(execution.ahead());
      return ahead.isPresent() ? ahead : look(execution);
    } catch (RuntimeException e) { // recording the call must not wait for the lookup
      LOG.warn("Could not read who waits for the lock of {}", execution.action().id(), e);
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

  /**
   * Returns the lookup's result, if it is still valid. Plans that have come since are found by
   * another lookup.
   */
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
      throw new IllegalStateException(e); // a lookup throws nothing else
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * Starts the plan that now has the lock. A failure of that plan must not affect its predecessor.
   */
  void start(LockTransfer transfer) {
    try {
      finishPlan.start(transfer.plan(), transfer.actions());
    } catch (RuntimeException e) {
      lookAgain(transfer, e);
    }
  }

  /** Schedules another look, soon, at a plan that may now have the lock. */
  void lookAgain(LockTransfer transfer, RuntimeException trouble) {
    Plan plan = transfer.plan();
    LOG.atWarn()
        .setCause(trouble)
        .addKeyValue("plan_id", plan.id().value())
        .log("A plan that a lock was handed over to could not be run");
    dispatcher.wake(plan.partition(), plan.id(), KernelTimes.PAUSE);
  }
}
