package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Claims an open plan for execution: reserves its part of the allowance, then moves the plan and
 * takes the locks of all its entities in one transaction, together or not at all (contract, section
 * 2). Thread-safe.
 */
public final class ClaimPlan {
  private static final int TRIES = 5;

  private final Plans plans;
  private final Operators operators;
  private final Allowance allowance;
  private final ReserveAllowance reserveAllowance;
  private final CloseActions closeActions;
  private final HaltRegister halts;
  private final Transactions transactions;
  private final Ids ids;
  private final InstantSource clock;

  public ClaimPlan(
      Plans plans,
      Operators operators,
      Allowance allowance,
      ReserveAllowance reserveAllowance,
      CloseActions closeActions,
      HaltRegister halts,
      Transactions transactions,
      Ids ids,
      InstantSource clock) {
    this.plans = plans;
    this.operators = operators;
    this.allowance = allowance;
    this.reserveAllowance = reserveAllowance;
    this.closeActions = closeActions;
    this.halts = halts;
    this.transactions = transactions;
    this.ids = ids;
    this.clock = clock;
  }

  /** What a claim came to. */
  public sealed interface Result {
    /**
     * The plan executes, under this claim.
     *
     * @param fresh whether it was this attempt that claimed it, so that nothing was run before
     */
    record Claimed(Plan plan, boolean fresh) implements Result {}

    /** The plan is not open, or another claim came first. */
    record NotOpen(Plan plan) implements Result {}

    /** Another holder has a lock that the plan needs. */
    record Locked(EntityLock lock) implements Result {}

    /** The allowance has no room for all of its actions. */
    record NoAllowance() implements Result {}

    /** A halt covers it. */
    record Halted(HaltRegister.Stop stop) implements Result {}
  }

  /**
   * Claims the plan.
   *
   * @param actions all actions of the plan
   * @param selected those to run; the others are skipped
   * @param key the same for the same claim made again, which then finds itself
   * @param known the plan's operator, if it was read for this very claim; the executor asks the
   *     operator as it is then in any case
   */
  public Result claim(
      Plan plan,
      List<Action> actions,
      Set<ActionId> selected,
      String key,
      Plan.@Nullable Approval approval,
      @Nullable Operator known) {
    Instant now = clock.instant();
    if (!plan.open(now)) {
      return settled(plan, key);
    }
    Partition partition = plan.partition();
    Optional<Operator> operator =
        known == null ? operators.find(partition, plan.terms().operatorId()) : Optional.of(known);
    List<Action> chosen =
        actions.stream().filter(action -> selected.contains(action.id())).toList();
    Optional<HaltRegister.Stop> stop =
        halts.covering(
            partition,
            plan.terms().operatorId(),
            chosen.stream().map(action -> action.terms().connector()).collect(Collectors.toSet()));
    if (stop.isPresent()) {
      return new Result.Halted(stop.get());
    }
    Set<ActionId> refused = new HashSet<>();
    for (Action action : chosen) {
      if (ExecutionPolicy.rule(action, operator, approval != null).refuses()) {
        refused.add(action.id());
      }
    }
    List<Action> runnable =
        chosen.stream().filter(action -> !refused.contains(action.id())).toList();
    List<ActionId> metered = runnable.stream().map(Action::id).toList();
    Allowance.Part part = new Allowance.Part(allowance.period(), ids.next());
    if (!reserveAllowance.reserve(partition, part, metered)) {
      return new Result.NoAllowance();
    }
    Map<ActionId, ReceiptId> skipped =
        closeActions.mint(
            plan.terms().actionIds().stream().filter(id -> !selected.contains(id)).toList());
    Map<ActionId, String> digests =
        chosen.stream().collect(Collectors.toMap(Action::id, action -> action.terms().digest()));
    Plan.Claim claim = new Plan.Claim(key, approval, digests, refused, skipped, part, now);
    Result result = write(plan, claim, runnable);
    if (!(result instanceof Result.Claimed claimed && madeWith(part, claimed.plan()))) {
      metered.forEach(action -> allowance.settle(partition, part, action, null));
    }
    return result;
  }

  /** Whether it was this attempt that claimed the plan, and not the same request made before. */
  private static boolean madeWith(Allowance.Part part, Plan claimed) {
    Plan.Claim claim = claimed.claim();
    return claim != null && claim.part().equals(part);
  }

  private Result write(Plan plan, Plan.Claim claim, List<Action> runnable) {
    List<Write> writes = new ArrayList<>();
    writes.add(Plans.claim(plan, claim, claim.claimedAt().plus(KernelTimes.RECHECK)));
    Set<String> entities = new LinkedHashSet<>();
    runnable.forEach(action -> entities.add(action.terms().entityKey()));
    PlanId id = plan.id();
    for (String entity : entities) {
      writes.add(EntityLocks.take(plan.partition(), entity, id.value(), id, claim.claimedAt()));
    }
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Store.Transacted written = transactions.run(writes);
      if (written.done()) {
        return new Result.Claimed(plan.executing(claim), true);
      }
      Store.Transacted.Refused refused = (Store.Transacted.Refused) written;
      if (refused.of(0).isPresent()) {
        return settled(plans.find(plan.partition(), id).orElseThrow(), claim.key());
      }
      Optional<EntityLock> lock =
          refused.refusals().stream()
              .flatMap(refusal -> refusal.found().stream())
              .findFirst()
              .map(EntityLocks::read);
      if (lock.isPresent()) {
        return new Result.Locked(lock.get());
      }
      // The lock went between the refusal and the look at it: try again.
    }
    throw new IllegalStateException("A lock was refused " + TRIES + " times without a holder.");
  }

  private static Result settled(Plan plan, String key) {
    Plan.Claim claim = plan.claim();
    return claim != null && claim.key().equals(key)
        ? new Result.Claimed(plan, false)
        : new Result.NotOpen(plan);
  }
}
