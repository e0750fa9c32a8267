package io.actiongovernance.plan;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.halt.Freeze;
import io.actiongovernance.halt.Freezes;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stored plans. A plan's state only moves forward, by writes conditional on its earlier state.
 * Thread-safe.
 *
 * <p>An open plan, or one with receipts still to be written, is in the sweeper's index under the
 * instant of the next look.
 *
 * <p>No write has the plan's expiry in its condition. The stored expiry never changes, and the time
 * frozen by halts only grows. So a plan that was open when its writer looked is open for that
 * write, and an overdue plan stays overdue. The writer that ends or claims an open plan records the
 * frozen time that counted.
 */
public final class Plans {
  private static final String PLANS = "plan";

  /** Approximate maximum number of an operator's open plans that are held for people at once. */
  public static final int MOST_HELD = 500;

  /** Name of the index, and of its attribute, for a plan that is open and held. */
  static final String HELD = "by_parent";

  /** Number of approval policies that hold the plan; absent if none does. */
  public static final String POLICIES = "policies";

  /** Number of times that people have voted on an open plan or withdrawn a vote. */
  static final String VOTES = "votes";

  static final String OUTCOMES = "outcomes";

  private final Store store;
  private final HaltRegister halts;

  public Plans(Store store, HaltRegister halts) {
    this.store = store;
    this.halts = halts;
  }

  public Optional<Plan> find(Partition partition, PlanId id) {
    return store.get(key(partition, id)).map(Plans::read).map(this::withFreeze);
  }

  public record WithActions(Plan plan, List<Action> actions) {
    public WithActions {
      actions = List.copyOf(actions);
    }
  }

  /**
   * Reads a known plan and its actions in one request. The read is not a snapshot of one moment,
   * but the actions of an ended plan are at least as new as its end.
   */
  public Optional<WithActions> findWithActions(Plan known) {
    Partition partition = known.partition();
    List<Key> actionKeys =
        known.terms().actionIds().stream().map(id -> Actions.key(partition, id)).toList();
    Key key = key(partition, known.id());
    Map<Key, Item> items =
        store.getByKey(Stream.concat(actionKeys.stream(), Stream.of(key)).toList());
    Optional<Plan> found =
        Optional.ofNullable(items.get(key)).map(Plans::read).map(this::withFreeze);
    List<Action> actions = actions(actionKeys, items);
    boolean before =
        found.filter(plan -> plan.disposedAt() != null).isPresent()
            && !actions.stream().allMatch(Action::settled);
    List<Action> now = before ? actions(actionKeys, store.getByKey(actionKeys)) : actions;
    return found.map(plan -> new WithActions(plan, now));
  }

  private static List<Action> actions(List<Key> keys, Map<Key, Item> items) {
    return keys.stream()
        .flatMap(one -> Optional.ofNullable(items.get(one)).stream())
        .map(Actions::read)
        .toList();
  }

  /** Returns the plan from an item read under its {@link #key}, together with the halts. */
  public Plan read(Item item, HaltRegister.State state) {
    Plan plan = read(item);
    return withFreeze(plan, halts.freezes(plan.partition(), state));
  }

  private Plan withFreeze(Plan plan) {
    return plan.state() == Plan.State.PROPOSED
        ? withFreeze(plan, halts.freezes(plan.partition()))
        : plan;
  }

  /**
   * Returns the plan with the effect of halts on its time. Several plans can share one read of the
   * halts.
   */
  static Plan withFreeze(Plan plan, Freezes freezes) {
    Plan.Terms terms = plan.terms();
    return plan.state() == Plan.State.PROPOSED
        ? plan.with(
            freezes.of(
                terms.proposedAt(), terms.expiresAt(), terms.operatorId(), terms.connectors()))
        : plan;
  }

  /**
   * Returns the plans that wait for this reason, oldest first; the result may lag behind recent
   * writes.
   */
  public List<PlanId> waitingOn(Partition partition, WaitingOn reason) {
    Merged waiting = index("by_list", byWaiting(partition, reason), partition);
    return waiting.all(waiting.whole()).map(item -> new PlanId(item.text("id"))).toList();
  }

  /** Returns the newest plan of an operator; the result may lag behind recent proposals. */
  public Optional<Plan> newestOf(Partition partition, OperatorId operator) {
    Merged ofOperator = ofOperator(partition, operator);
    return ofOperator.query(ofOperator.whole().newestFirst().limit(1)).items().stream()
        .map(Plans::read)
        .findFirst();
  }

  Merged ofOperator(Partition partition, OperatorId operator) {
    return Merged.of(
        store, Table.STATE, "by_operator", List.of(byOperator(partition, operator.value())));
  }

  /**
   * Returns whether the maximum number of an operator's plans is held. The index lags behind
   * writes, so simultaneous proposals may exceed the limit by a few.
   */
  public boolean heldUp(Partition partition, OperatorId operator) {
    Query held = Query.of(Table.STATE, HELD, byHeld(partition, operator)).limit(MOST_HELD);
    return store.count(held) == MOST_HELD;
  }

  /** Returns the plans that may still expire, in the order of their expiry. */
  Merged open(Partition partition) {
    return index("by_expiry", byExpiry(partition), partition);
  }

  /** Returns an indexed list of plans, over all its shards. */
  Merged index(String hash, String part, Partition partition) {
    return Merged.of(store, Table.STATE, hash, Allowance.spread(store, partition).keys(part));
  }

  Merged all(Partition partition) {
    return Merged.of(
        store, Table.STATE, Allowance.spread(store, partition).keys(partition.key(PLANS)));
  }

  /** Returns a plan's key, for callers that read it along with other items. */
  public static Key key(Partition partition, PlanId id) {
    return new Key(Table.STATE, Spread.key(partition.key(PLANS), id.shard()), id.value());
  }

  /**
   * Returns the plan from an item read under its {@link #key}. For a proposed plan, the effect of
   * halts on its time is missing.
   */
  public static Plan read(Item item) {
    return new Plan(
        new PlanId(item.text("id")),
        Partition.parse(item.text("partition")),
        Json.read(item.text("doc"), Plan.Terms.class),
        Plan.State.valueOf(item.text("state")),
        item.has("waiting_on") ? WaitingOn.parse(item.text("waiting_on")).orElseThrow() : null,
        part(item, "claim", Plan.Claim.class),
        part(item, "ending", Plan.Ending.class),
        item.has("disposed_at") ? Timestamps.read(item.text("disposed_at")) : null,
        new Freeze(Duration.ofMillis(item.whole("frozen_ms", 0)), false),
        item.whole(VOTES, 0),
        part(item, OUTCOMES, PlanOutcomes.class));
  }

  private static <T> @Nullable T part(Item item, String name, Class<T> type) {
    String text = item.textOrNull(name);
    return text == null ? null : Json.read(text, type);
  }

  static String byExpiry(Partition partition) {
    return partition.key("plan#open");
  }

  static String byStatus(Partition partition, PlanStatus status) {
    return partition.key("plan#status#" + status.wire());
  }

  static String byWaiting(Partition partition, WaitingOn waitingOn) {
    return partition.key("plan#waiting#" + waitingOn.wire());
  }

  static String byHeld(Partition partition, OperatorId operator) {
    return partition.key("plan#held#" + operator);
  }

  static String byOperator(Partition partition, String operator) {
    return partition.key("plan#operator#" + operator);
  }

  /** Returns the key of the row that records that the plan has an action on the entity. */
  static Key entityRow(Plan plan, String entity) {
    return new Key(Table.STATE, byEntity(plan.partition(), entity), plan.id().value());
  }

  /** Returns the partition of the rows that record which plans have an action on an entity. */
  static String byEntity(Partition partition, String entity) {
    return partition.key("plan-entity#" + entity);
  }
}
