package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.NewPlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
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

  /** The most items of a claim's transaction: two are left of what one takes. */
  static final int MOST_ITEMS = Store.MAX_TRANSACTION - 2;

  private final Store store;
  private final Plans plans;
  private final CreatePlan createPlan;
  private final Operators operators;
  private final Allowance allowance;
  private final ReserveAllowance reserveAllowance;
  private final CloseActions closeActions;
  private final Transactions transactions;
  private final Ids ids;
  private final InstantSource clock;

  public ClaimPlan(
      Store store,
      Plans plans,
      CreatePlan createPlan,
      Operators operators,
      Allowance allowance,
      ReserveAllowance reserveAllowance,
      CloseActions closeActions,
      Transactions transactions,
      Ids ids,
      InstantSource clock) {
    this.store = store;
    this.plans = plans;
    this.createPlan = createPlan;
    this.operators = operators;
    this.allowance = allowance;
    this.reserveAllowance = reserveAllowance;
    this.closeActions = closeActions;
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
   * @param along writes that are to take effect with it, and are never refused
   */
  public Result claim(
      Plan plan,
      List<Action> actions,
      Set<ActionId> selected,
      String key,
      Plan.@Nullable Approval approval,
      List<Write> along) {
    Instant now = clock.instant();
    if (!plan.open(now)) {
      return settled(plan, key);
    }
    Partition partition = plan.partition();
    Key operatorKey = Operators.key(partition, plan.terms().operatorId());
    List<Key> keys = new ArrayList<>(Standing.keys(partition));
    keys.add(operatorKey);
    Map<Key, Item> items = store.getByKey(keys);
    Optional<Operator> operator = Optional.ofNullable(items.get(operatorKey)).map(operators::read);
    List<Action> chosen =
        actions.stream().filter(action -> selected.contains(action.id())).toList();
    Attempt attempt = new Attempt(plan, chosen, operator, approval, key, along, now);
    return claim(attempt, Standing.read(partition, items), null).orElseThrow();
  }

  /**
   * The same for all actions of a plan that needs no approval, and that was read just now with what
   * its claim depends on.
   */
  Result claimUnheld(
      Plan plan,
      List<Action> actions,
      Optional<Operator> operator,
      Standing standing,
      List<Write> along) {
    Instant now = clock.instant();
    String key = plan.id().value();
    Attempt attempt = new Attempt(plan, actions, operator, null, key, along, now);
    return plan.open(now) ? claim(attempt, standing, null).orElseThrow() : settled(plan, key);
  }

  /**
   * What a claim depends on besides its plan and operator.
   *
   * @param halts those in force
   */
  public record Standing(HaltRegister.State halts, Allowance.Terms allowance) {
    /** What to read for it, for those who read it along with other items. */
    public static List<Key> keys(Partition partition) {
      return List.of(HaltRegister.key(partition), Allowance.termsKey(partition));
    }

    /** It, in what was read under its {@link #keys}. */
    public static Standing read(Partition partition, Map<Key, Item> items) {
      return new Standing(
          HaltRegister.read(Optional.ofNullable(items.get(HaltRegister.key(partition)))),
          Allowance.terms(Optional.ofNullable(items.get(Allowance.termsKey(partition)))));
    }
  }

  /**
   * Stores a new plan that needs no approval as claimed at once, all of its actions selected.
   *
   * @param operator the plan's, read for this very proposal
   * @param known if it was read for it too
   * @param touches to be recorded with it
   * @return empty if nothing was written, for something else than what is in the way of a claim
   */
  public Optional<Result> claimNew(
      NewPlan made, Operator operator, @Nullable Standing known, List<EventLog.Touch> touches) {
    Plan plan = made.plan();
    Instant now = clock.instant();
    if (!plan.open(now)) {
      return Optional.empty();
    }
    return claim(
        new Attempt(
            plan, made.actions(), Optional.of(operator), null, plan.id().value(), List.of(), now),
        known == null ? standing(plan.partition()) : known,
        claim -> createPlan.claimed(made, touches, claim, due(claim)));
  }

  private Standing standing(Partition partition) {
    return Standing.read(partition, store.getByKey(Standing.keys(partition)));
  }

  /** How a new plan is stored as one that executes under a claim. */
  private interface Storing {
    List<Write> under(Plan.Claim claim);
  }

  /** An attempt to claim the chosen actions of a plan. */
  private record Attempt(
      Plan plan,
      List<Action> chosen,
      Optional<Operator> operator,
      Plan.@Nullable Approval approval,
      String key,
      List<Write> along,
      Instant at) {
    Optional<HaltRegister.Stop> stop(HaltRegister.State halts) {
      return halts.covering(
          plan.terms().operatorId(),
          chosen.stream().map(action -> action.terms().connector()).collect(Collectors.toSet()));
    }

    /** Those that the policy blocks. */
    Set<ActionId> refused() {
      return chosen.stream()
          .filter(action -> ExecutionPolicy.rule(action, operator, approval != null).refuses())
          .map(Action::id)
          .collect(Collectors.toSet());
    }

    Map<ActionId, String> digests() {
      return chosen.stream()
          .collect(Collectors.toMap(Action::id, action -> action.terms().digest()));
    }
  }

  /**
   * @param storing the plan if it is a new one, null if it is stored
   * @return empty if a new plan could not be stored
   */
  private Optional<Result> claim(Attempt attempt, Standing standing, @Nullable Storing storing) {
    Optional<HaltRegister.Stop> stop = attempt.stop(standing.halts());
    if (stop.isPresent()) {
      return Optional.of(new Result.Halted(stop.get()));
    }
    Plan plan = attempt.plan();
    Set<ActionId> refused = attempt.refused();
    List<Action> runnable =
        attempt.chosen().stream().filter(action -> !refused.contains(action.id())).toList();
    List<ActionId> metered = runnable.stream().map(Action::id).toList();
    Allowance.Part part = allowance.part(standing.allowance(), ids.next());
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
      metered.forEach(action -> allowance.release(plan.partition(), part, action));
    }
    return result;
  }

  private Optional<Result> store(
      Plan plan, Plan.Claim claim, List<Action> runnable, List<Write> storing) {
    List<Write> writes = new ArrayList<>(storing);
    writes.addAll(locks(plan, claim, runnable));
    if (writes.size() > MOST_ITEMS) {
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

  private static Instant due(Plan.Claim claim) {
    return claim.claimedAt().plus(KernelTimes.LOOK);
  }

  /** Whether it was this attempt that claimed the plan, and not the same request made before. */
  private static boolean madeWith(Allowance.Part part, Plan claimed) {
    Plan.Claim claim = claimed.claim();
    return claim != null && claim.part().equals(part);
  }

  private Result write(Attempt attempt, Plan.Claim claim, List<Action> runnable) {
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
        return settled(plans.find(plan.partition(), plan.id()).orElseThrow(), claim.key());
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

  private static Result settled(Plan plan, String key) {
    Plan.Claim claim = plan.claim();
    return claim != null && claim.key().equals(key)
        ? new Result.Claimed(plan, false)
        : new Result.NotOpen(plan);
  }
}
