package io.actiongovernance.archive;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tables, and behind them the archive, for those who read what is kept for good: a row that is
 * not in its table any more is read as it was written last. Where both have it, the table's counts.
 * Writes, and the snapshots that they rest on, are of the tables alone: whoever decides by what
 * they read must not read here.
 *
 * <p>What has an identifier from within the retention is in its table, and nobody asks the archive
 * for it. Queries that reach back further end at the first of a month in the archive ({@link
 * Slice#upTo()}), so that a page has at most 31 days of it. What of the archive is damaged, or
 * cannot be reached, is {@link StoreUnavailable}, and never left out. Thread-safe.
 */
public final class ReadThrough implements Store {
  /** The characters of objects that are remembered: about eight of the largest. */
  private static final long REMEMBERED = 32L * 1024 * 1024;

  private final Store store;
  private final OldDays old;
  private final ArchivedRows archived;
  private final ArchivedDays days;
  private final ArchivedActions actions;

  public ReadThrough(Store store, ArchiveObjects objects, InstantSource clock) {
    this.store = store;
    this.old = new OldDays(clock);
    this.archived = new ArchivedRows(new RememberedObjects(objects, clock), REMEMBERED);
    this.days = new ArchivedDays(archived);
    this.actions = new ArchivedActions(store, archived, days);
  }

  @Override
  public Optional<Item> get(Key key) {
    return store.get(key).or(() -> Optional.ofNullable(archived(List.of(key)).get(key)));
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    Map<Key, Item> rows = getByKey(keys.stream().distinct().toList());
    return keys.stream().flatMap(key -> Optional.ofNullable(rows.get(key)).stream()).toList();
  }

  @Override
  public Map<Key, Item> getByKey(List<Key> keys) {
    Map<Key, Item> inTable = store.getByKey(keys);
    Map<Key, Item> all = archived(keys.stream().filter(key -> !inTable.containsKey(key)).toList());
    all.putAll(inTable);
    return all;
  }

  /** The archived rows of keys, of those that are archived. */
  private Map<Key, Item> archived(List<Key> keys) {
    return ArchivedRows.told(
        () -> {
          Map<Key, Item> rows = new HashMap<>();
          old.places(keys)
              .forEach(
                  (group, ids) -> rows.putAll(archived.of(group.partition(), group.kind(), ids)));
          rows.keySet().retainAll(keys);
          return rows;
        });
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return store.snapshot(keys);
  }

  @Override
  public Written write(Write write) {
    return store.write(write);
  }

  @Override
  public Transacted transact(List<Write> writes) {
    return store.transact(writes);
  }

  @Override
  public Slice query(Query query) {
    Slice inTable = store.query(query);
    return Sought.of(query)
        .map(sought -> ArchivedRows.told(() -> query(sought, query, inTable)))
        .orElse(inTable);
  }

  @Override
  public int count(Query query) {
    return store.count(query);
  }

  private Slice query(Sought sought, Query query, Slice inTable) {
    Stretch stretch = old.stretch(sought, query, inTable);
    if (stretch.days().isEmpty()) {
      return inTable;
    }
    // One more than wanted tells whether there are more.
    Query bounded = stretch.bounded(query).limit(query.limit() + 1);
    List<Item> rows =
        switch (sought) {
          case Sought.ByIdentifier list -> days.rows(list, bounded, stretch.days());
          case Sought.ByDisposal list -> actions.disposed(list, bounded, stretch.days());
          case Sought.OfPlan of ->
              archived
                  .of(of.partition(), RowKind.PLAN, List.of(of.plan().value()))
                  .values()
                  .stream()
                  .filter(row -> row.key().partition().equals(query.partition()))
                  .toList();
          case Sought.Undos of -> actions.undos(of, bounded, plannedBy(of));
        };
    return stretch.merged(query, inTable, rows, this::inTable);
  }

  private List<ActionId> plannedBy(Sought.Undos of) {
    return get(Plans.key(of.partition(), of.plan())).map(Plans::read).stream()
        .flatMap(plan -> plan.terms().actionIds().stream())
        .toList();
  }

  /** The rows of the table in the place of archived ones, where an index did not have them yet. */
  private Map<Key, Item> inTable(List<Key> keys) {
    return store.getByKey(keys);
  }
}
