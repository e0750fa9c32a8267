package io.actiongovernance.action;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.has;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stored actions. Every change is a {@link Write} for the transaction it belongs to, with a
 * condition that lets it happen only once. Thread-safe.
 */
public final class Actions {
  private static final String PART = "action#";
  private static final String UNDOS = "action#undo#";

  private static final String UNDOING = "undoing";
  private static final String UNDONE_BY = "undone_by";

  /** Attribute that names the last plan that was requested to undo the action under an approval. */
  private static final String ASKED = "undo_plan";

  private final Store store;

  public Actions(Store store) {
    this.store = store;
  }

  public Optional<Action> find(Partition partition, ActionId id) {
    return store.get(key(partition, id)).map(Actions::read);
  }

  /** Returns the actions that exist, in the requested order, read consistently. */
  public List<Action> findAll(Partition partition, List<ActionId> ids) {
    return store.getAll(ids.stream().map(id -> key(partition, id)).toList()).stream()
        .map(Actions::read)
        .toList();
  }

  /**
   * Returns the disposed undos of a plan's actions that ran without an approval. The result may be
   * stale. An undo that waited for an approval is in a plan of its own.
   */
  public Stream<Action> undosOf(Partition partition, PlanId plan) {
    Merged undos = Merged.of(store, Table.STATE, "by_parent", List.of(byUndone(partition, plan)));
    return undos.all(undos.whole()).map(Actions::read);
  }

  public static Write insert(Action action) {
    return Write.insert(item(action).build());
  }

  /** Inserts an undo action, which the sweeper examines from {@code due} on. */
  public static Write insertUndo(Action action, Instant due) {
    return Write.insert(
        DueIndex.STEPS.enter(item(action), action.partition(), action.id().value(), due).build());
  }

  private static Item.Builder item(Action action) {
    return Item.at(key(action.partition(), action.id()))
        .with("kind", "action")
        .with("id", action.id().value())
        .with("partition", action.partition().key())
        .packed("doc", Json.write(action.terms()));
  }

  /** Disposes of an action that is not settled yet. From then on, lists contain the action. */
  public static Write dispose(Action action, Action.Disposal disposal) {
    Action.Terms terms = action.terms();
    Partition partition = action.partition();
    List<Change> changes = new ArrayList<>();
    changes.add(Change.set("disposition", disposal.disposition().name()));
    changes.add(Change.pack("disposal", Json.write(disposal)));
    changes.add(Change.set("ordered", order(disposal.disposedAt(), action.id())));
    changes.add(
        Change.set("by_status", shard(terms, byDisposition(partition, disposal.disposition()))));
    if (terms.undoesAtOnce()) {
      changes.add(Change.set("by_parent", byUndone(partition, terms.planId())));
      changes.addAll(DueIndex.leave());
    }
    return Write.update(key(partition, action.id()), unsettled(), changes);
  }

  /** Checks that an action exists and is not settled. */
  public static Write unsettled(Action action) {
    return Write.check(key(action.partition(), action.id()), unsettled());
  }

  private static Condition unsettled() {
    return and(has("doc"), lacks("disposal"), lacks("closing"));
  }

  /** Records that an action will never run. */
  public static Write close(Action action, Action.Closing closing) {
    return Write.update(
        key(action.partition(), action.id()),
        unsettled(),
        Change.pack("closing", Json.write(closing)));
  }

  /** Records the resolution of an action whose outcome was unknown, once. */
  public static Write resolve(Action action, Action.Resolution resolution) {
    return Write.update(
        key(action.partition(), action.id()),
        and(has("disposal"), lacks("resolution")),
        Change.pack("resolution", Json.write(resolution)));
  }

  /** Adds an action to the list of those that wait to be resolved. */
  public static Write listUnresolved(Action action, Instant disposedAt) {
    return Write.put(
        Item.at(unresolvedKey(action, disposedAt)).with("id", action.id().value()).build(),
        Condition.always());
  }

  /** Removes an action from the list of those that wait to be resolved. */
  public static Write unlistUnresolved(Action action, Instant disposedAt) {
    return Write.delete(unresolvedKey(action, disposedAt), Condition.always());
  }

  private static Key unresolvedKey(Action action, Instant disposedAt) {
    return new Key(Table.STATE, unresolved(action.partition()), order(disposedAt, action.id()));
  }

  /** Returns the partition of the rows that list unresolved actions. */
  static String unresolved(Partition partition) {
    return partition.key("action-unresolved");
  }

  /**
   * Records the plan that is to undo an applied action. Refused if the action has been undone or is
   * being undone, or if another such plan was requested after the action was read.
   */
  public static Write askUndo(Action original, PlanId plan) {
    return Write.update(
        key(original.partition(), original.id()),
        and(undoable(original.undo().asked()), lacks(UNDOING)),
        Change.set(ASKED, plan.value()));
  }

  /**
   * Claims an applied action for an undo. Only one undo may hold the claim. Refused if a plan to
   * undo the action was requested after the action was read.
   */
  public static Write beginUndo(Action original, ActionId undo) {
    return beginUndo(original.partition(), original.id(), undo, original.undo().asked());
  }

  /** Claims an applied action for the undo of a plan, which must be the last plan requested. */
  public static Write beginHeldUndo(Action undo) {
    Action.Undoing undoing = Objects.requireNonNull(undo.terms().undoing());
    return beginUndo(undo.partition(), undoing.original(), undo.id(), undo.terms().planId());
  }

  private static Write beginUndo(
      Partition partition, ActionId original, ActionId undo, @Nullable PlanId asked) {
    return Write.update(
        key(partition, original),
        and(undoable(asked), or(lacks(UNDOING), equal(UNDOING, undo.value()))),
        Change.set(UNDOING, undo.value()));
  }

  /**
   * Returns the condition that an action is not undone and that this is the last plan requested to
   * undo it.
   */
  private static Condition undoable(@Nullable PlanId asked) {
    return and(
        has("disposal"),
        lacks(UNDONE_BY),
        asked == null ? lacks(ASKED) : equal(ASKED, asked.value()));
  }

  /** Ends the undo that holds the claim. The original is then undone, or can be undone again. */
  public static Write endUndo(
      Partition partition, ActionId original, ActionId undo, boolean undone) {
    List<Change> changes = new ArrayList<>();
    changes.add(Change.remove(UNDOING));
    if (undone) {
      changes.add(Change.set(UNDONE_BY, undo.value()));
    }
    return Write.update(key(partition, original), equal(UNDOING, undo.value()), changes);
  }

  /** Postpones the sweeper's next look at an undo action that is not disposed. */
  public static Write postpone(Action undo, Instant due) {
    return Write.update(
        key(undo.partition(), undo.id()),
        DueIndex.somewhere(),
        DueIndex.move(undo.partition(), undo.id().value(), due));
  }

  /** Returns an action's key, for callers that read it along with other items. */
  public static Key key(Partition partition, ActionId id) {
    return Key.single(Table.STATE, partition.key(PART + id));
  }

  public static Action read(Item item) {
    String disposal = item.textOrNull("disposal");
    String closing = item.textOrNull("closing");
    String resolution = item.textOrNull("resolution");
    return new Action(
        new ActionId(item.text("id")),
        Partition.parse(item.text("partition")),
        Json.read(item.text("doc"), Action.Terms.class),
        disposal == null ? null : Json.read(disposal, Action.Disposal.class),
        closing == null ? null : Json.read(closing, Action.Closing.class),
        resolution == null ? null : Json.read(resolution, Action.Resolution.class),
        new Action.Undo(id(item, UNDOING), id(item, UNDONE_BY), asked(item)));
  }

  private static @Nullable ActionId id(Item item, String name) {
    String id = item.textOrNull(name);
    return id == null ? null : new ActionId(id);
  }

  private static @Nullable PlanId asked(Item item) {
    String plan = item.textOrNull(ASKED);
    return plan == null ? null : new PlanId(plan);
  }

  static String order(Instant disposedAt, ActionId id) {
    return Timestamps.format(disposedAt) + "#" + id;
  }

  /** Returns the shard of a list that holds an action: the shard of its plan. */
  private static String shard(Action.Terms terms, String part) {
    return Spread.key(part, terms.planId().shard());
  }

  static String byDisposition(Partition partition, Disposition disposition) {
    return partition.key("action#disposition#" + disposition.name());
  }

  /** Returns the partition of a plan's undos; the plan itself names its proposed actions. */
  static String byUndone(Partition partition, PlanId plan) {
    return partition.key(UNDOS + plan);
  }
}
