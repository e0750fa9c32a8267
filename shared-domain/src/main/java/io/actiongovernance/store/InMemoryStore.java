package io.actiongovernance.store;

import io.actiongovernance.outcome.Refusal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Store in memory, for the simulation and the fast tests. As DynamoDB does, it refuses items and
 * transactions that are too large. Thread-safe by one lock. Nothing is kept after the process ends.
 */
public final class InMemoryStore implements Store {
  private static final String FIRST = "\0";
  private static final String LAST = String.valueOf(Character.MAX_VALUE);

  private final TreeMap<Key, Item> items = new TreeMap<>(InMemoryStore::order);

  private final Map<Place, NavigableMap<Key, Item>> indexed = new HashMap<>();

  private record Place(Table table, Index index, String hash) {}

  private static int order(Key one, Key other) {
    int byTable = one.table().compareTo(other.table());
    int byPartition = byTable != 0 ? byTable : one.partition().compareTo(other.partition());
    return byPartition != 0 ? byPartition : one.range().compareTo(other.range());
  }

  @Override
  public synchronized Optional<Item> get(Key key) {
    return Optional.ofNullable(items.get(key));
  }

  @Override
  public synchronized List<Item> getAll(List<Key> keys) {
    List<Item> found = new ArrayList<>(keys.size());
    for (Key key : keys) {
      Item item = items.get(key);
      if (item != null) {
        found.add(item);
      }
    }
    return List.copyOf(found);
  }

  @Override
  public synchronized Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return Optional.of(getByKey(keys));
  }

  @Override
  public synchronized Slice query(Query query) {
    List<Item> matching = new ArrayList<>();
    for (Item item : candidates(query)) {
      if (query.holds(query.rangeOf(item))) {
        matching.add(item);
      }
    }
    Comparator<Item> byRange = Comparator.comparing(query::rangeOf);
    matching.sort(query.descending() ? byRange.reversed() : byRange);
    boolean more = matching.size() > query.limit();
    return new Slice(more ? matching.subList(0, query.limit()) : matching, more);
  }

  /** Returns the items in the query's partition, of the table or of an index, in key order. */
  private Collection<Item> candidates(Query query) {
    Index index = query.index();
    if (index != null) {
      return indexed
          .getOrDefault(
              new Place(query.table(), index, query.partition()), Collections.emptyNavigableMap())
          .values();
    }
    Key first = new Key(query.table(), query.partition(), FIRST);
    Key last = new Key(query.table(), query.partition(), LAST);
    return items.subMap(first, true, last, true).values();
  }

  @Override
  public synchronized Written write(Write write) {
    Optional<Item> found = get(write.key());
    if (!holds(write.condition(), found)) {
      return new Written.Refused(found);
    }
    Optional<Item> after = after(write);
    after.ifPresent(InMemoryStore::checkSize);
    apply(write.key(), after.orElse(null));
    return new Written.Done(after);
  }

  @Override
  public synchronized Transacted transact(List<Write> writes) {
    checkTransaction(writes);
    List<Refusal> refusals = new ArrayList<>();
    for (int position = 0; position < writes.size(); position++) {
      Optional<Item> found = get(writes.get(position).key());
      if (!holds(writes.get(position).condition(), found)) {
        refusals.add(new Refusal(position, found));
      }
    }
    if (!refusals.isEmpty()) {
      return new Transacted.Refused(refusals);
    }
    List<Optional<Item>> after = writes.stream().map(this::after).toList();
    checkSizes(after.stream().flatMap(Optional::stream).toList());
    for (int position = 0; position < writes.size(); position++) {
      apply(writes.get(position).key(), after.get(position).orElse(null));
    }
    return new Transacted.Done();
  }

  /** Returns all items, in key order, for the checks of a simulation. */
  public synchronized List<Item> everything() {
    return List.copyOf(items.values());
  }

  private static void checkTransaction(List<Write> writes) {
    if (writes.isEmpty() || writes.size() > MAX_TRANSACTION) {
      throw new IllegalArgumentException(
          "A transaction takes 1 to 100 writes, not " + writes.size());
    }
    Set<Key> keys = new HashSet<>();
    for (Write write : writes) {
      if (!keys.add(write.key())) {
        throw new IllegalArgumentException("A transaction writes each item once");
      }
    }
  }

  private static void checkSizes(List<Item> items) {
    items.forEach(InMemoryStore::checkSize);
    if (sum(items, ItemSize::atMost) > ItemSize.MOST_OF_A_TRANSACTION
        && sum(items, ItemSize::of) > ItemSize.MOST_OF_A_TRANSACTION) {
      throw new IllegalArgumentException(
          "A transaction of " + sum(items, ItemSize::of) + " bytes is too large");
    }
  }

  private static long sum(List<Item> items, ToLongFunction<Item> size) {
    return items.stream().mapToLong(size).sum();
  }

  private static void checkSize(Item item) {
    if (ItemSize.atMost(item) > ItemSize.MOST && ItemSize.of(item) > ItemSize.MOST) {
      throw new IllegalArgumentException(
          "An item of " + ItemSize.of(item) + " bytes is too large: " + item.key());
    }
  }

  private void apply(Key key, @Nullable Item after) {
    Item before = after == null ? items.remove(key) : items.put(key, after);
    for (Index index : key.table().indexes()) {
      if (before != null && isIn(index, before)) {
        place(index, before).remove(key);
      }
      if (after != null && isIn(index, after)) {
        place(index, after).put(key, after);
      }
    }
  }

  private static boolean isIn(Index index, Item item) {
    return item.has(index.hash()) && (index.range().equals("sk") || item.has(index.range()));
  }

  private NavigableMap<Key, Item> place(Index index, Item item) {
    return indexed.computeIfAbsent(
        new Place(item.key().table(), index, item.text(index.hash())),
        _ -> new TreeMap<>(InMemoryStore::order));
  }

  private Optional<Item> after(Write write) {
    return switch (write) {
      case Write.Put(Item item, Condition _) -> Optional.of(item);
      case Write.Delete _ -> Optional.empty();
      case Write.Check(Key key, Condition _) -> get(key);
      case Write.Update(Key key, List<Change> changes, Condition _) -> {
        Map<String, Object> attributes =
            new LinkedHashMap<>(get(key).map(Item::attributes).orElse(Map.of()));
        changes.forEach(change -> apply(change, attributes));
        yield Optional.of(new Item(key, attributes));
      }
    };
  }

  private static void apply(Change change, Map<String, Object> attributes) {
    switch (change) {
      case Change.Assign(String name, Object value) -> attributes.put(name, value);
      case Change.Remove(String name) -> attributes.remove(name);
      case Change.Add(String name, BigDecimal amount) ->
          attributes.merge(name, amount, (a, b) -> ((BigDecimal) a).add((BigDecimal) b));
      case Change.Include(String name, Set<String> elements) -> {
        Set<Object> all = new HashSet<>((Set<?>) attributes.getOrDefault(name, Set.of()));
        all.addAll(elements);
        attributes.put(name, all);
      }
      case Change.Exclude(String name, Set<String> elements) -> {
        Set<Object> left = new HashSet<>((Set<?>) attributes.getOrDefault(name, Set.of()));
        left.removeAll(elements);
        if (left.isEmpty()) {
          attributes.remove(name);
        } else {
          attributes.put(name, left);
        }
      }
    }
  }

  private static boolean holds(Condition condition, Optional<Item> item) {
    Map<String, Object> attributes = item.map(Item::attributes).orElse(Map.of());
    return switch (condition) {
      case Condition.Always _ -> true;
      case Condition.Absent _ -> item.isEmpty();
      case Condition.Present _ -> item.isPresent();
      case Condition.Has(String name) -> attributes.containsKey(name);
      case Condition.Lacks(String name) -> !attributes.containsKey(name);
      case Condition.Equal(String name, Object value) -> same(attributes.get(name), value);
      case Condition.Less(String name, BigDecimal bound) ->
          attributes.get(name) instanceof BigDecimal number && number.compareTo(bound) < 0;
      case Condition.AtMost(String name, BigDecimal bound) ->
          attributes.get(name) instanceof BigDecimal number && number.compareTo(bound) <= 0;
      case Condition.Greater(String name, BigDecimal bound) ->
          attributes.get(name) instanceof BigDecimal number && number.compareTo(bound) > 0;
      case Condition.Contains(String name, String element) ->
          attributes.get(name) instanceof Set<?> set && set.contains(element);
      case Condition.And(List<Condition> all) -> all.stream().allMatch(one -> holds(one, item));
      case Condition.Or(List<Condition> any) -> any.stream().anyMatch(one -> holds(one, item));
      case Condition.Not(Condition negated) -> !holds(negated, item);
    };
  }

  private static boolean same(@Nullable Object stored, Object value) {
    return stored instanceof BigDecimal number && value instanceof BigDecimal other
        ? number.compareTo(other) == 0
        : value.equals(stored);
  }
}
