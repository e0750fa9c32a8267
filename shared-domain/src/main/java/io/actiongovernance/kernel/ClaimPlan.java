package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.NewPlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Claims an open plan for execution: reserves its part of the allowance, moves the plan and takes
 * the locks of all its entities in one transaction, together or not at all (contract, section 2).
 * Thread-safe.
 */
public final class ClaimPlan {
  /** The most items of a claim's transaction: two are left of what one takes. */
  static final int MOST_ITEMS = Store.MAX_TRANSACTION - 2;

  private final Store store;
  private final Operators operators;
  private final Plans plans;
  private final CreatePlan createPlan;
  private final WriteClaim writeClaim;
  private final InstantSource clock;

  public ClaimPlan(
      Store store,
      Operators operators,
      Plans plans,
      CreatePlan createPlan,
      WriteClaim writeClaim,
      InstantSource clock) {
    this.store = store;
    this.operators = operators;
    this.plans = plans;
    this.createPlan = createPlan;
    this.writeClaim = writeClaim;
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

    /** What it would undo is undone, is being undone, or waits for another plan to undo it. */
    record UndoMet(Refusal refusal) implements Result {}

    /** A halt covers it. */
    record Halted(HaltRegister.Stop stop) implements Result {}
  }

  /**
   * What the claim of a stored plan depends on, as it was read at once.
   *
   * @param row the operator's; empty where it is gone
   */
  record Basis(
      TenantState tenantState, Key operatorKey, Optional<Item> row, Optional<Operator> operator) {
    /** Has a transaction refused unless the operator is still as it was read. */
    Write unchanged() {
      return Operators.unchanged(operatorKey, row);
    }
  }

  /** What the claim of a plan depends on, as it is now. */
  Basis basis(Plan plan) {
    Partition partition = plan.partition();
    Key operatorKey = Operators.key(partition, plan.terms().operatorId());
    List<Key> keys = new ArrayList<>(TenantState.keys(partition));
    keys.add(operatorKey);
    Map<Key, Item> items = store.getByKey(keys);
    Optional<Item> row = Optional.ofNullable(items.get(operatorKey));
    return new Basis(
        TenantState.read(partition, items), operatorKey, row, row.map(operators::read));
  }

  /**
   * Claims an open plan by an approval.
   *
   * @param chosen those of its actions that are to run; the others are skipped
   * @param key the same for the same claim made again, which then finds itself
   * @param basis what it was judged by
   * @param guard what the approval rests on, where it rests on more than that somebody approved
   * @return empty if something has changed meanwhile, so that it is to be judged anew
   */
  Optional<Result> claim(
      Plan plan,
      List<Action> chosen,
      String key,
      Plan.Approval approval,
      Basis basis,
      ClaimAttempt.@Nullable Guard guard) {
    ClaimAttempt attempt =
        new ClaimAttempt(
            plan, chosen, basis.operator(), approval, key, List.of(), guard, clock.instant());
    return writeClaim.claim(attempt, basis.tenantState(), null);
  }

  /**
   * The same for all actions of a plan that needs no approval, and that was read just now with what
   * its claim depends on.
   */
  Result claimUnheld(
      Plan plan,
      List<Action> actions,
      Optional<Operator> operator,
      TenantState tenantState,
      List<Write> along) {
    Instant now = clock.instant();
    String key = plan.id().value();
    ClaimAttempt attempt = new ClaimAttempt(plan, actions, operator, null, key, along, null, now);
    return plan.open(now) ? writeClaim.claimUnheld(attempt, tenantState) : settled(plan, key);
  }

  /**
   * The claim of a plan that waits for a lock, under which that is handed over to it.
   *
   * @param plan as it is once the claim is written
   * @param actions all of its
   */
  record LockTransfer(Plan plan, List<Action> actions, List<Write> writes) {}

  /**
   * The claim of a plan that waits, to be written with what ends the use of the lock by its holder.
   *
   * @return empty where the plan is not to be claimed, or needs more than this lock
   */
  Optional<LockTransfer> transfer(
      Partition partition, EntityKey entityKey, String holder, Waiter waiter) {
    Key key = Plans.key(partition, waiter.plan());
    List<Key> keys = new ArrayList<>(TenantState.keys(partition));
    keys.add(key);
    keys.addAll(waiter.keys(partition));
    Map<Key, Item> items = store.getByKey(keys);
    TenantState tenantState = TenantState.read(partition, items);
    Instant now = clock.instant();
    return Optional.ofNullable(items.get(key))
        .map(item -> plans.read(item, tenantState.halts()))
        .filter(plan -> plan.open(now) && !plan.terms().held())
        .map(
            plan ->
                new ClaimAttempt(
                    plan,
                    waiter.actionsIn(partition, items),
                    Optional.ofNullable(items.get(Operators.key(partition, waiter.operator())))
                        .map(operators::read),
                    null,
                    plan.id().value(),
                    List.of(),
                    null,
                    now))
        .flatMap(attempt -> writeClaim.transfer(attempt, tenantState, entityKey, holder));
  }

  /**
   * What a claim depends on besides its plan and operator.
   *
   * @param halts those in force
   */
  public record TenantState(HaltRegister.State halts, Allowance.Terms allowance) {
    /** What to read for it, for those who read it along with other items. */
    public static List<Key> keys(Partition partition) {
      return List.of(HaltRegister.key(partition), Allowance.termsKey(partition));
    }

    TenantState with(Allowance.Terms other) {
      return new TenantState(halts, other);
    }

    /** It, in what was read under its {@link #keys}. */
    public static TenantState read(Partition partition, Map<Key, Item> items) {
      return new TenantState(
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
      NewPlan made, Operator operator, @Nullable TenantState known, List<EventLog.Touch> touches) {
    Plan plan = made.plan();
    Instant now = clock.instant();
    if (!plan.open(now)) {
      return Optional.empty();
    }
    return writeClaim.claim(
        new ClaimAttempt(
            plan,
            made.actions(),
            Optional.of(operator),
            null,
            plan.id().value(),
            List.of(),
            null,
            now),
        known == null ? tenantState(plan.partition()) : known,
        claim -> createPlan.claimed(made, touches, claim, WriteClaim.due(claim)));
  }

  /** An operator, and what the claims of its plans depend on besides, read at once. */
  public record Basics(Operator operator, TenantState tenantState) {}

  /** The operator of a proposal, if there is one, and what its plan depends on besides. */
  Optional<Basics> begin(Partition partition, OperatorId id) {
    Key key = Operators.key(partition, id);
    List<Key> keys = new ArrayList<>(TenantState.keys(partition));
    keys.add(key);
    Map<Key, Item> items = store.getByKey(keys);
    return Optional.ofNullable(items.get(key))
        .map(operators::read)
        .map(operator -> new Basics(operator, TenantState.read(partition, items)));
  }

  /** A lock that new plans may meet too was found taken. */
  void met(Partition partition, EntityLock lock) {
    writeClaim.met(partition, lock, clock.instant());
  }

  /** What a claim depends on besides its plan and operator, as it is now. */
  TenantState tenantState(Partition partition) {
    return TenantState.read(partition, store.getByKey(TenantState.keys(partition)));
  }

  static Result settled(Plan plan, String key) {
    Plan.Claim claim = plan.claim();
    return claim != null && claim.key().equals(key)
        ? new Result.Claimed(plan, false)
        : new Result.NotOpen(plan);
  }
}
