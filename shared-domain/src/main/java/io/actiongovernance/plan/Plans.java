package io.actiongovernance.plan;

import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.has;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Actions;
import io.actiongovernance.halt.Freeze;
import io.actiongovernance.halt.Freezes;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stored plans. A plan moves only forward, by writes whose condition is the state it comes
 * from. Thread-safe.
 *
 * <p>An open plan, and one whose receipts are not all written, is in the sweeper's index under the
 * instant it is next to be looked at.
 *
 * <p>No write has the plan's expiry in its condition. What is stored of it never changes, and the
 * time that halts freeze only grows; so a plan that was open when its writer looked is open for
 * that write, and one that was over stays over. Whoever moves an open plan on notes the frozen time
 * that counted.
 */
public final class Plans {
  private final Store store;
  private final HaltRegister halts;

  public Plans(Store store, HaltRegister halts) {
    this.store = store;
    this.halts = halts;
  }

  public Optional<Plan> find(Partition partition, PlanId id) {
    return store.get(key(partition, id)).map(Plans::read).map(this::withFreeze);
  }

  /** The plan in an item read under its {@link #key}, along with the halts. */
  public Plan read(Item item, HaltRegister.State state) {
    Plan plan = read(item);
    return withFreeze(plan, halts.freezes(plan.partition(), state));
  }

  /** The plan with what halts have done to its time. */
  private Plan withFreeze(Plan plan) {
    return plan.state() == Plan.State.PROPOSED
        ? withFreeze(plan, halts.freezes(plan.partition()))
        : plan;
  }

  /** The same for one of several plans, for which the halts are read once. */
  static Plan withFreeze(Plan plan, Freezes freezes) {
    Plan.Terms terms = plan.terms();
    return plan.state() == Plan.State.PROPOSED
        ? plan.with(
            freezes.of(
                terms.proposedAt(), terms.expiresAt(), terms.operatorId(), terms.connectors()))
        : plan;
  }

  /** The plans that wait for this, oldest first; may lag behind what was just written. */
  public List<PlanId> waitingOn(Partition partition, WaitingOn reason) {
    List<PlanId> waiting = new ArrayList<>();
    String from = null;
    boolean more = true;
    while (more) {
      Slice slice =
          store.query(Query.of(Table.STATE, "by_list", byWaiting(partition, reason)).from(from));
      for (Item item : slice.items()) {
        waiting.add(new PlanId(item.text("id")));
        from = item.text("ordered") + "$";
      }
      more = slice.more();
    }
    return waiting;
  }

  /** The newest plan of an operator; may lag behind what was just proposed. */
  public Optional<Plan> newestOf(Partition partition, OperatorId operator) {
    Query query =
        Query.of(Table.STATE, "by_operator", byOperator(partition, operator.value()))
            .newestFirst()
            .limit(1);
    return store.query(query).items().stream().map(Plans::read).findFirst();
  }

  /**
   * Inserts a plan, proposed or executing, to be looked at again at {@code due}.
   *
   * @param needsApproval the actions that a human must approve
   */
  static Write insert(Plan plan, Set<String> needsApproval, Instant due) {
    Plan.Terms terms = plan.terms();
    Partition partition = plan.partition();
    Item.Builder item =
        Item.at(key(partition, plan.id()))
            .with("kind", "plan")
            .with("id", plan.id().value())
            .with("partition", partition.key())
            .with("doc", Json.write(terms))
            .with("state", plan.state().name())
            .with("status", PlanStatus.PROPOSED.wire())
            .with("needs_approval", needsApproval)
            .with("expires_at", terms.expiresAt().toEpochMilli())
            .with("by_expiry", plan.state() == Plan.State.PROPOSED ? open(partition) : null)
            .with("expiry", Timestamps.format(terms.expiresAt()) + "#" + plan.id())
            .with("ordered", plan.id().value())
            .with("by_status", byStatus(partition, PlanStatus.PROPOSED))
            .with("by_operator", byOperator(partition, terms.operatorId().value()))
            .with("due_shard", Actions.dueShard(plan.id().value()))
            .with("due", Timestamps.format(due));
    if (terms.eventId() != null) {
      item.with("by_parent", byEvent(partition, terms.eventId().value()));
    }
    if (plan.claim() != null) {
      item.with("claim", Json.write(plan.claim()));
    }
    WaitingOn waitingOn = plan.waitingOn();
    if (waitingOn != null) {
      item.with("waiting_on", waitingOn.wire()).with("by_list", byWaiting(partition, waitingOn));
    }
    return Write.insert(item.build());
  }

  /** Claims an open plan: from here on it executes. */
  public static Write claim(Plan plan, Plan.Claim claim, Instant due) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        concat(
            waiting(plan.partition(), WaitingOn.EXECUTION, due),
            Change.set("state", Plan.State.EXECUTING.name()),
            Change.remove("by_expiry"),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.set("claim", Json.write(claim))));
  }

  /** Records what an open, unheld plan waits for. */
  public static Write await(Plan plan, WaitingOn waitingOn, Instant due) {
    return Write.update(
        key(plan), in(Plan.State.PROPOSED), waiting(plan.partition(), waitingOn, due));
  }

  /** An executing plan all of whose actions are settled is executed. */
  public static Write finish(Plan plan, Instant disposedAt) {
    return Write.update(
        key(plan),
        in(Plan.State.EXECUTING),
        concat(
            disposed(plan.partition(), Plan.State.EXECUTED, PlanStatus.EXECUTED, disposedAt),
            Change.remove("due_shard"),
            Change.remove("due")));
  }

  /** An open plan is vetoed; its receipts are still to be written. */
  static Write veto(Plan plan, Plan.Ending ending, Instant now) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        concat(
            disposed(plan.partition(), Plan.State.VETOED, PlanStatus.VETOED, now),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.set("ending", Json.write(ending)),
            Change.set("due", Timestamps.format(now))));
  }

  /**
   * A plan past its time, or whose operator is archived, is expired; its receipts are still to be
   * written.
   */
  static Write expire(Plan plan, Plan.Ending ending, Instant disposedAt, Instant now) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        concat(
            disposed(plan.partition(), Plan.State.EXPIRED, PlanStatus.EXPIRED, disposedAt),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.set("ending", Json.write(ending)),
            Change.set("due", Timestamps.format(now))));
  }

  /** All receipts of a vetoed or expired plan are written: nothing is left to be done for it. */
  static Write settle(Plan plan) {
    return Write.update(key(plan), has("ending"), Change.remove("due_shard"), Change.remove("due"));
  }

  /** Has the sweeper look at the plan again later. */
  public static Write postpone(Plan plan, Instant due) {
    return Write.update(key(plan), has("due"), Change.set("due", Timestamps.format(due)));
  }

  private static Condition in(Plan.State state) {
    return equal("state", state.name());
  }

  private static List<Change> waiting(Partition partition, WaitingOn waitingOn, Instant due) {
    return List.of(
        Change.set("waiting_on", waitingOn.wire()),
        Change.set("by_list", byWaiting(partition, waitingOn)),
        Change.set("due", Timestamps.format(due)));
  }

  private static List<Change> disposed(
      Partition partition, Plan.State state, PlanStatus status, Instant disposedAt) {
    return List.of(
        Change.set("state", state.name()),
        Change.set("status", status.wire()),
        Change.set("by_status", byStatus(partition, status)),
        Change.set("disposed_at", Timestamps.format(disposedAt)),
        Change.set(Retention.ARCHIVE_EXPIRES, Retention.after(disposedAt)),
        Change.remove("waiting_on"),
        Change.remove("by_list"),
        Change.remove("by_expiry"));
  }

  private static List<Change> concat(List<Change> changes, Change... more) {
    List<Change> all = new ArrayList<>(changes);
    all.addAll(List.of(more));
    return all;
  }

  private static Key key(Plan plan) {
    return key(plan.partition(), plan.id());
  }

  /** Where a plan is kept, for those who read it along with other items. */
  public static Key key(Partition partition, PlanId id) {
    return new Key(Table.STATE, list(partition), id.value());
  }

  /**
   * The plan in an item that was read under its {@link #key}; of one in proposed, without what
   * halts have done to its time.
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
        new Freeze(Duration.ofMillis(item.whole("frozen_ms", 0)), false));
  }

  private static <T> @Nullable T part(Item item, String name, Class<T> type) {
    String text = item.textOrNull(name);
    return text == null ? null : Json.read(text, type);
  }

  static String list(Partition partition) {
    return partition.key("plan");
  }

  /** The index partition of the plans that may still expire, in the order of their time. */
  static String open(Partition partition) {
    return partition.key("plan#open");
  }

  static String byStatus(Partition partition, PlanStatus status) {
    return partition.key("plan#status#" + status.wire());
  }

  static String byWaiting(Partition partition, WaitingOn waitingOn) {
    return partition.key("plan#waiting#" + waitingOn.wire());
  }

  static String byOperator(Partition partition, String operator) {
    return partition.key("plan#operator#" + operator);
  }

  static String byEvent(Partition partition, String event) {
    return partition.key("plan#event#" + event);
  }

  /** The row that says that the plan holds an action on the entity. */
  static Key entityRow(Plan plan, String entity) {
    return new Key(Table.STATE, byEntity(plan.partition(), entity), plan.id().value());
  }

  /** The partition of the rows that say which plans hold an action on an entity. */
  static String byEntity(Partition partition, String entity) {
    return partition.key("plan-entity#" + entity);
  }
}
