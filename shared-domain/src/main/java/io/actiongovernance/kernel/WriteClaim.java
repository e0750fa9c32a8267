package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Action;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.ClaimPlan.Result;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a claim: what it needs of the allowance first, then the plan and the locks of its entities
 * in one transaction. Thread-safe.
 */
public final class WriteClaim {
  private static final int TRIES = 5;

  private final Plans plans;
  private final ReserveAllowance reserveAllowance;
  private final CloseActions closeActions;
  private final Transactions transactions;

  public WriteClaim(
      Plans plans,
      ReserveAllowance reserveAllowance,
      CloseActions closeActions,
      Transactions transactions) {
    this.plans = plans;
    this.reserveAllowance = reserveAllowance;
    this.closeActions = closeActions;
    this.transactions = transactions;
  }

  /** How a new plan is stored as one that executes under a claim. */
  interface Storing {
    List<Write> under(Plan.Claim claim);
  }

  /**
   * Claims, unless a halt, the allowance or a lock is in the way.
   *
   * @param storing the plan if it is a new one, null if it is stored
   * @return empty if a new plan could not be stored
   */
  Optional<Result> claim(
      ClaimAttempt attempt, ClaimPlan.Standing standing, @Nullable Storing storing) {
    Optional<HaltRegister.Stop> stop = attempt.stop(standing.halts());
    if (stop.isPresent()) {
      return Optional.of(new Result.Halted(stop.get()));
    }
    Plan plan = attempt.plan();
    Set<ActionId> refused = attempt.refused();
    List<Action> runnable =
        attempt.chosen().stream().filter(action -> !refused.contains(action.id())).toList();
    List<ActionId> metered = runnable.stream().map(Action::id).toList();
    Allowance.Part part = reserveAllowance.attempt(standing.allowance());
    if (!reserveAllowance.reserve(plan.partition(), part, metered)) {
      return Optional.of(new Result.NoAllowance());
    }
    Map<ActionId, String> digests = attempt.digests();
    Map<ActionId, ReceiptId> skipped =
        closeActions.mint(
            plan.terms().actionIds().stream().filter(id -> !digests.containsKey(id)).toList());
    Plan.Claim claim =
        new Plan.Claim(
            attempt.key(), attempt.approval(), digests, refused, skipped, part, attempt.at());
    Optional<Result> result =
        storing == null
            ? Optional.of(write(attempt, claim, runnable))
            : store(plan, claim, runnable, storing.under(claim));
    if (!(result.orElse(null) instanceof Result.Claimed claimed
        && madeWith(part, claimed.plan()))) {
      metered.forEach(action -> reserveAllowance.release(plan.partition(), part, action));
    }
    return result;
  }

  private Optional<Result> store(
      Plan plan, Plan.Claim claim, List<Action> runnable, List<Write> storing) {
    List<Write> writes = new ArrayList<>(storing);
    writes.addAll(locks(plan, claim, runnable));
    if (writes.size() > ClaimPlan.MOST_ITEMS) {
      return Optional.empty();
    }
    if (!(transactions.run(writes) instanceof Store.Transacted.Refused refused)) {
      return Optional.of(new Result.Claimed(plan.executing(claim), true));
    }
    boolean lockedOnly =
        refused.refusals().stream().allMatch(refusal -> refusal.position() >= storing.size());
    return lockedOnly ? lock(refused).map(Result.Locked::new) : Optional.empty();
  }

  private static List<Write> locks(Plan plan, Plan.Claim claim, List<Action> runnable) {
    PlanId id = plan.id();
    return Action.entities(runnable).stream()
        .map(
            entity -> EntityLocks.take(plan.partition(), entity, id.value(), id, claim.claimedAt()))
        .toList();
  }

  /** Whether it was this attempt that claimed the plan, and not the same request made before. */
  private static boolean madeWith(Allowance.Part part, Plan claimed) {
    Plan.Claim claim = claimed.claim();
    return claim != null && claim.part().equals(part);
  }

  private Result write(ClaimAttempt attempt, Plan.Claim claim, List<Action> runnable) {
    Plan plan = attempt.plan();
    List<Write> writes = new ArrayList<>();
    writes.add(Plans.claim(plan, claim, due(claim)));
    writes.addAll(locks(plan, claim, runnable));
    writes.addAll(attempt.along());
    Plan.Approval approval = claim.approval();
    if (approval != null) {
      ApprovalRecord record = ApprovalRecord.of(plan, claim, approval, attempt.chosen());
      writes.add(record.insert(plan.partition()));
    }
    for (int time = 0; time < TRIES; time++) {
      Store.Transacted written = transactions.run(writes);
      if (written.done()) {
        return new Result.Claimed(plan.executing(claim), true);
      }
      Store.Transacted.Refused refused = (Store.Transacted.Refused) written;
      if (refused.of(0).isPresent()) {
        return ClaimPlan.settled(
            plans.find(plan.partition(), plan.id()).orElseThrow(), claim.key());
      }
      Optional<EntityLock> lock = lock(refused);
      if (lock.isPresent()) {
        return new Result.Locked(lock.get());
      }
      // The lock went between the refusal and the look at it: try again.
    }
    throw new IllegalStateException("A lock was refused " + TRIES + " times without a holder.");
  }

  private static Optional<EntityLock> lock(Store.Transacted.Refused refused) {
    return refused.refusals().stream()
        .flatMap(refusal -> refusal.found().stream())
        .findFirst()
        .map(EntityLocks::read);
  }

  /** When a claimed plan is looked at, should nobody have moved it on by then. */
  static Instant due(Plan.Claim claim) {
    return claim.claimedAt().plus(KernelTimes.LOOK);
  }
}
