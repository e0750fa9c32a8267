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
 * Claims an open plan for execution. One transaction reserves its part of the allowance, changes
 * the plan's state and takes the locks of all its entities (contract, section 2). Thread-safe.
 */
public final class ClaimPlan {
  /** Maximum number of items in a claim's transaction: two fewer than a transaction allows. */
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

  public sealed interface Result {
    /**
     * The plan executes under this claim.
     *
     * @param fresh whether this attempt claimed it, so that nothing has run before
     */
    record Claimed(Plan plan, boolean fresh) implements Result {}

    /** The plan is not open, or another claim came first. */
    record NotOpen(Plan plan) implements Result {}

    record Locked(EntityLock lock) implements Result {}

    /** The allowance has no room for all actions of the plan. */
    record NoAllowance() implements Result {}

    /** The action to undo has been undone or is being undone, or another plan is to undo it. */
    record UndoMet(Refusal refusal) implements Result {}

    record Halted(HaltRegister.Stop stop) implements Result {}
  }

  /**
   * State that the claim of a stored plan depends on, read in one request.
   *
   * @param row the operator's row; empty if it is missing
   */
  record Basis(
      TenantState tenantState, Key operatorKey, Optional<Item> row, Optional<Operator> operator) {
    /** Returns the check that the operator is unchanged since it was read. */
    Write unchanged() {
      return Operators.unchanged(operatorKey, row);
    }
  }

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
   * @param chosen the actions to run; the others are skipped
   * @param key equal for the same claim made again, which then finds itself
   * @param basis the state by which the approval was judged
   * @param guard the policies and votes that the approval depends on; null if a key approves
   *     without policies
   * @return empty if the state has changed since, so that the approval must be judged again
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

  /** Claims all actions of a plan that needs no approval, with state that was just read. */
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
   * Claim of a plan that waits for a lock, written together with the transfer of that lock.
   *
   * @param plan as it is when the claim is written
   * @param actions all actions of the plan
   */
  record LockTransfer(Plan plan, List<Action> actions, List<Write> writes) {}

  /**
   * Prepares the claim of a waiting plan. It is to be written in the transaction in which the
   * present holder gives up the lock.
   *
   * @return empty if the plan cannot be claimed, or needs more than this lock
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
   * State that a claim depends on besides its plan and operator.
   *
   * @param halts the halts in force
   */
  public record TenantState(HaltRegister.State halts, Allowance.Terms allowance) {
    /** Returns the keys to read, for callers that read them along with other items. */
    public static List<Key> keys(Partition partition) {
      return List.of(HaltRegister.key(partition), Allowance.termsKey(partition));
    }

    TenantState with(Allowance.Terms other) {
      return new TenantState(halts, other);
    }

    /** Returns the state from the items read under its {@link #keys}. */
    public static TenantState read(Partition partition, Map<Key, Item> items) {
      return new TenantState(
          HaltRegister.read(Optional.ofNullable(items.get(HaltRegister.key(partition)))),
          Allowance.terms(Optional.ofNullable(items.get(Allowance.termsKey(partition)))));
    }
  }

  /**
   * Stores a new plan that needs no approval as claimed, with all of its actions selected.
   *
   * @param operator the plan's operator, read for this proposal
   * @param known the tenant's state, if it was also read for this proposal
   * @param touches the touches to record with the plan
   * @return empty if nothing was written for a reason other than an obstacle to the claim
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

  /** Operator, and the other state that the claims of its plans depend on, read in one request. */
  public record Basics(Operator operator, TenantState tenantState) {}

  /**
   * Reads the operator of a proposal, if it exists, and the other state that its plan depends on.
   */
  Optional<Basics> begin(Partition partition, OperatorId id) {
    Key key = Operators.key(partition, id);
    List<Key> keys = new ArrayList<>(TenantState.keys(partition));
    keys.add(key);
    Map<Key, Item> items = store.getByKey(keys);
    return Optional.ofNullable(items.get(key))
        .map(operators::read)
        .map(operator -> new Basics(operator, TenantState.read(partition, items)));
  }

  /** Notes that a lock was found taken, because new plans may find it taken too. */
  void met(Partition partition, EntityLock lock) {
    writeClaim.met(partition, lock, clock.instant());
  }

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
