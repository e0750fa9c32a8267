package io.actiongovernance.plan;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.has;
import static io.actiongovernance.store.Condition.lacks;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.due.Due;
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
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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
  private static final String PLANS = "plan";

  /** About how many open plans of an operator may be held for people at once. */
  public static final int MOST_HELD = 500;

  /** The index, and its attribute, in which a plan stands while it is open and held. */
  private static final String HELD = "by_parent";

  /** How many policies of approval hold it; absent where none does. */
  public static final String POLICIES = "policies";

  /** How many times people have voted on an open plan, or taken a vote back. */
  private static final String VOTES = "votes";

  /** What became of the actions of an executed plan. */
  private static final String OUTCOMES = "outcomes";

  private final Store store;
  private final HaltRegister halts;

  public Plans(Store store, HaltRegister halts) {
    this.store = store;
    this.halts = halts;
  }

  public Optional<Plan> find(Partition partition, PlanId id) {
    return store.get(key(partition, id)).map(Plans::read).map(this::withFreeze);
  }

  /** A plan and what it was proposed with. */
  public record WithActions(Plan plan, List<Action> actions) {
    public WithActions {
      actions = List.copyOf(actions);
    }
  }

  /**
   * A plan that is known, and its actions, as they stand; read in one request. Such a read is none
   * of one moment: the actions of a plan that has ended are at least as new as its end.
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
    Merged waiting = index("by_list", byWaiting(partition, reason), partition);
    return waiting.all(waiting.whole()).map(item -> new PlanId(item.text("id"))).toList();
  }

  /** The newest plan of an operator; may lag behind what was just proposed. */
  public Optional<Plan> newestOf(Partition partition, OperatorId operator) {
    Merged ofOperator = ofOperator(partition, operator);
    return ofOperator.query(ofOperator.whole().newestFirst().limit(1)).items().stream()
        .map(Plans::read)
        .findFirst();
  }

  /** The plans of an operator. */
  Merged ofOperator(Partition partition, OperatorId operator) {
    return Merged.of(
        store, Table.STATE, "by_operator", List.of(byOperator(partition, operator.value())));
  }

  /**
   * Whether as many plans of an operator are held as may be. The index lags behind writes, so that
   * proposals made at once may exceed it by a few.
   */
  public boolean heldUp(Partition partition, OperatorId operator) {
    Query held = Query.of(Table.STATE, HELD, byHeld(partition, operator)).limit(MOST_HELD);
    return store.count(held) == MOST_HELD;
  }

  /** The plans that may still expire, in the order of their time. */
  Merged open(Partition partition) {
    return index("by_expiry", byExpiry(partition), partition);
  }

  /** A list of plans that is in an index, however many shards that has. */
  Merged index(String hash, String part, Partition partition) {
    return Merged.of(store, Table.STATE, hash, Allowance.spread(store, partition).keys(part));
  }

  /** All plans, by their identifiers. */
  Merged all(Partition partition) {
    return Merged.of(
        store, Table.STATE, Allowance.spread(store, partition).keys(partition.key(PLANS)));
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
        Due.STEPS
            .enter(Item.at(key(partition, plan.id())), partition, plan.id().value(), due)
            .with("kind", "plan")
            .with("id", plan.id().value())
            .with("partition", partition.key())
            .packed("doc", Json.write(terms))
            .with("state", plan.state().name())
            .with("status", PlanStatus.PROPOSED.wire())
            .with("needs_approval", needsApproval)
            .with("expires_at", terms.expiresAt().toEpochMilli())
            .with("ordered", plan.id().value())
            .with("by_operator", byOperator(partition, terms.operatorId().value()));
    if (plan.claim() != null) {
      item.packed("claim", Json.write(plan.claim()));
    }
    if (!terms.approvals().isEmpty()) {
      item.with(POLICIES, terms.approvals().size());
    }
    WaitingOn waitingOn = plan.waitingOn();
    if (waitingOn != null) {
      item.with("waiting_on", waitingOn.wire());
    }
    if (plan.state() == Plan.State.PROPOSED) {
      item.with("by_status", shard(plan, byStatus(partition, PlanStatus.PROPOSED)))
          .with("by_expiry", shard(plan, byExpiry(partition)))
          .with("expiry", Timestamps.format(terms.expiresAt()) + "#" + plan.id());
      if (terms.held()) {
        item.with(HELD, byHeld(partition, terms.operatorId()));
      }
      if (waitingOn != null) {
        item.with("by_list", shard(plan, byWaiting(partition, waitingOn)));
      }
    }
    return Write.insert(item.build());
  }

  /** The shard of a list that a plan stands in. */
  private static String shard(Plan plan, String part) {
    return Spread.key(part, plan.id().shard());
  }

  /**
   * Claims an open plan: from here on it executes.
   *
   * @param counted whether the claim rests on the votes that were counted when it was read
   */
  public static Write claim(Plan plan, Plan.Claim claim, Instant due, boolean counted) {
    return Write.update(
        key(plan),
        counted ? undecided(plan) : in(Plan.State.PROPOSED),
        List.of(
            Change.set("state", Plan.State.EXECUTING.name()),
            Change.set("waiting_on", WaitingOn.EXECUTION.wire()),
            due(plan, due),
            Change.remove("by_list"),
            Change.remove(HELD),
            Change.remove("by_expiry"),
            Change.remove("expiry"),
            Change.remove("needs_approval"),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.pack("claim", Json.write(claim))));
  }

  /**
   * Counts a vote on an open plan, or that one was taken back, unless the plan was claimed or
   * another was counted since it was read.
   */
  public static Write vote(Plan plan) {
    return Write.update(key(plan), undecided(plan), Change.add(VOTES, 1));
  }

  /** The same plan, on which nobody has voted since it was read. */
  private static Condition undecided(Plan plan) {
    return and(
        in(Plan.State.PROPOSED), plan.votes() == 0 ? lacks(VOTES) : equal(VOTES, plan.votes()));
  }

  /** Records what an open, unheld plan waits for. */
  public static Write await(Plan plan, WaitingOn waitingOn, Instant due) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        List.of(
            Change.set("waiting_on", waitingOn.wire()),
            Change.set("by_list", shard(plan, byWaiting(plan.partition(), waitingOn))),
            due(plan, due)));
  }

  /**
   * An executing plan all of whose actions are settled is executed.
   *
   * @param selected what became of those that its claim selects
   */
  public static Write finish(Plan plan, PlanOutcomes selected, Instant disposedAt) {
    int skipped = Objects.requireNonNull(plan.claim()).skipped().size();
    List<Change> changes =
        concat(
            disposed(plan, Plan.State.EXECUTED, PlanStatus.EXECUTED, disposedAt),
            Due.leave().toArray(Change[]::new));
    changes.add(Change.set(OUTCOMES, Json.write(selected.skipping(skipped))));
    return Write.update(key(plan), in(Plan.State.EXECUTING), changes);
  }

  /** An open plan is vetoed; its receipts are still to be written. */
  static Write veto(Plan plan, Plan.Ending ending, Instant now) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        concat(
            disposed(plan, Plan.State.VETOED, PlanStatus.VETOED, now),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.pack("ending", Json.write(ending)),
            due(plan, now)));
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
            disposed(plan, Plan.State.EXPIRED, PlanStatus.EXPIRED, disposedAt),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.pack("ending", Json.write(ending)),
            due(plan, now)));
  }

  /** All receipts of a vetoed or expired plan are written: nothing is left to be done for it. */
  static Write settle(Plan plan) {
    return Write.update(key(plan), has("ending"), Due.leave());
  }

  /**
   * Has the sweeper look at the plan again later. One that executes for so long that it is looked
   * at is listed from then on by what it waits for and as proposed; most are executed before that.
   */
  public static Write postpone(Plan plan, Instant due) {
    Change later = due(plan, due);
    return plan.state() == Plan.State.EXECUTING
        ? Write.update(
            key(plan),
            and(Due.somewhere(), in(Plan.State.EXECUTING)),
            later,
            Change.set("by_status", shard(plan, byStatus(plan.partition(), PlanStatus.PROPOSED))),
            Change.set("by_list", shard(plan, byWaiting(plan.partition(), WaitingOn.EXECUTION))))
        : Write.update(key(plan), Due.somewhere(), later);
  }

  private static Change due(Plan plan, Instant due) {
    return Due.move(plan.partition(), plan.id().value(), due);
  }

  private static Condition in(Plan.State state) {
    return equal("state", state.name());
  }

  private static List<Change> disposed(
      Plan plan, Plan.State state, PlanStatus status, Instant disposedAt) {
    return List.of(
        Change.set("state", state.name()),
        Change.set("status", status.wire()),
        Change.set("by_status", shard(plan, byStatus(plan.partition(), status))),
        Change.set("disposed_at", Timestamps.format(disposedAt)),
        Change.remove("waiting_on"),
        Change.remove("by_list"),
        Change.remove(HELD),
        Change.remove("by_expiry"),
        Change.remove("expiry"));
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
    return new Key(Table.STATE, Spread.key(partition.key(PLANS), id.shard()), id.value());
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
        new Freeze(Duration.ofMillis(item.whole("frozen_ms", 0)), false),
        item.whole(VOTES, 0),
        part(item, OUTCOMES, PlanOutcomes.class));
  }

  private static <T> @Nullable T part(Item item, String name, Class<T> type) {
    String text = item.textOrNull(name);
    return text == null ? null : Json.read(text, type);
  }

  private static String byExpiry(Partition partition) {
    return partition.key("plan#open");
  }

  static String byStatus(Partition partition, PlanStatus status) {
    return partition.key("plan#status#" + status.wire());
  }

  static String byWaiting(Partition partition, WaitingOn waitingOn) {
    return partition.key("plan#waiting#" + waitingOn.wire());
  }

  private static String byHeld(Partition partition, OperatorId operator) {
    return partition.key("plan#held#" + operator);
  }

  private static String byOperator(Partition partition, String operator) {
    return partition.key("plan#operator#" + operator);
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
