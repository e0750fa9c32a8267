package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts rows back that have left their table for the archive, before an action is undone or
 * resolved: it, its plan, and the other actions of that, so that what is in the table is whole. A
 * row that is there is never overwritten; one that is put back is what was archived, but for the
 * time at which it may leave again, which is counted from now. So is that of one that is still
 * there and may be gone at any moment: time to live deletes within days of the time that a row
 * says.
 *
 * <p>Rows are put back one by one, the plan's last: who dies in between has changed nothing that
 * anybody reads, and who comes next goes on. Receipts are never changed, and so stay where they
 * are. What of the archive is damaged, or cannot be reached, is {@link StoreUnavailable}, and
 * nothing is changed. Thread-safe.
 */
public final class PutBack {
  /** What leaves sooner than this is kept: more than an undo takes, and time to live is late. */
  private static final Duration SOON = Duration.ofDays(7);

  private final Store store;
  private final @Nullable ArchivedRows archived;
  private final OldDays old;
  private final InstantSource clock;

  /**
   * @param objects of the archive; null where there is none, and nothing ever leaves a table
   */
  public PutBack(Store store, @Nullable ArchiveObjects objects, InstantSource clock) {
    this.store = store;
    this.archived = objects == null ? null : new ArchivedRows(objects);
    this.old = new OldDays(clock);
    this.clock = clock;
  }

  /**
   * An action and its plan, from wherever they are.
   *
   * @param keeping what has both in the table, and stay; nothing if that is so
   */
  public record Found(Action action, Plan plan, List<Write> keeping) {
    public Found {
      keeping = List.copyOf(keeping);
    }
  }

  /** A row, in its table or out of the archive. */
  private record Row(Item item, boolean inTable) {}

  /** Finds an action with its plan; nothing is changed by that. */
  public Optional<Found> find(Partition partition, ActionId id) {
    Optional<Row> action = row(partition, RowKind.ACTION, id.value(), Actions.key(partition, id));
    Optional<Row> plan =
        action
            .map(row -> Actions.read(row.item()).terms().planId())
            .flatMap(of -> row(partition, RowKind.PLAN, of.value(), Plans.key(partition, of)));
    return plan.map(of -> found(action.orElseThrow(), of));
  }

  /**
   * Has what was found be in the table, and stay there for as long as rows do.
   *
   * @return false if another put it back, or it left, since it was looked for: then it is to be
   *     looked for again
   */
  public boolean keep(Found found) {
    for (Write write : found.keeping()) {
      if (!store.write(write).done()) {
        return false;
      }
    }
    return true;
  }

  private Optional<Row> row(Partition partition, RowKind kind, String id, Key key) {
    return store
        .get(key)
        .map(item -> new Row(item, true))
        .or(
            () ->
                Optional.ofNullable(archived(partition, kind, List.of(id)).get(key))
                    .map(item -> new Row(item, false)));
  }

  /** The archived rows of these identifiers; none of those that cannot have left yet. */
  private Map<Key, Item> archived(Partition partition, RowKind kind, List<String> ids) {
    ArchivedRows rows = archived;
    List<String> asked =
        ids.stream().filter(kind::isMinted).filter(id -> old.isOld(partition, id)).toList();
    if (rows == null || asked.isEmpty()) {
      return Map.of();
    }
    return ArchivedRows.told(() -> rows.of(partition, kind, asked));
  }

  private Found found(Row action, Row plan) {
    Action read = Actions.read(action.item());
    Plan of = Plans.read(plan.item());
    List<Write> keeping = new ArrayList<>();
    if (archived != null) {
      if (!action.inTable() || !plan.inTable()) {
        others(of, read.id()).forEach(row -> keeping.add(Write.insert(staying(row))));
      }
      keep(action).ifPresent(keeping::add);
      keep(plan).ifPresent(keeping::add);
    }
    return new Found(read, of, keeping);
  }

  /** The other actions of a plan that have left the table. */
  private List<Item> others(Plan plan, ActionId but) {
    Partition partition = plan.partition();
    Map<Key, String> others = new HashMap<>();
    plan.terms().actionIds().stream()
        .filter(id -> !id.equals(but))
        .forEach(id -> others.put(Actions.key(partition, id), id.value()));
    others.keySet().removeAll(store.getByKey(List.copyOf(others.keySet())).keySet());
    return others.isEmpty()
        ? List.of()
        : List.copyOf(archived(partition, RowKind.ACTION, List.copyOf(others.values())).values());
  }

  private Optional<Write> keep(Row row) {
    Item item = row.item();
    long leaves = RowLine.leaves(item);
    if (!row.inTable()) {
      return Optional.of(Write.insert(staying(item)));
    }
    return leaves == 0 || leaves > clock.instant().plus(SOON).getEpochSecond()
        ? Optional.empty()
        : Optional.of(
            Write.update(
                item.key(),
                Condition.equal(Retention.ARCHIVE_EXPIRES, leaves),
                Change.set(Retention.ARCHIVE_EXPIRES, Retention.after(clock.instant()))));
  }

  private Item staying(Item item) {
    return RowLine.leaving(item, Retention.after(clock.instant()));
  }
}
