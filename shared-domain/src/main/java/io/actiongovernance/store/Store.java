package io.actiongovernance.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The only access to durable state. Each method is one atomic step. A crash happens between two
 * calls, never within one, so the simulation can try every crash point.
 *
 * <p>Reads by key are consistent. Queries over an {@link Index} may lag behind writes; queries of a
 * base table are consistent. Implementations are thread-safe. A store that cannot answer throws
 * {@link StoreUnavailable}; a write that threw may or may not have happened.
 */
public interface Store {

  /** Reads the item under the key consistently. */
  Optional<Item> get(Key key);

  /**
   * Reads the items that exist, in the order of their keys in the list, consistently but not as one
   * snapshot.
   */
  List<Item> getAll(List<Key> keys);

  /** Reads the items that exist under these keys, like {@link #getAll}, and returns them by key. */
  default Map<Key, Item> getByKey(List<Key> keys) {
    return getAll(keys).stream().collect(Collectors.toMap(Item::key, Function.identity()));
  }

  /**
   * Reads the items that exist under these keys, as of one moment, and returns them by key. Empty
   * if a write to one of them was in progress; try again after a pause.
   *
   * @param keys at most {@value #MAX_TRANSACTION}, distinct
   */
  Optional<Map<Key, Item>> snapshot(List<Key> keys);

  /** Reads one slice of a partition in the order of its range key. */
  Slice query(Query query);

  /**
   * Counts the items in a range of an index, up to the query's limit. An index may lag behind
   * writes. No item is read if the index can count by itself.
   */
  default int count(Query query) {
    return query(query).items().size();
  }

  Written write(Write write);

  /** Makes up to {@value #MAX_TRANSACTION} writes on distinct items, all or none. */
  Transacted transact(List<Write> writes);

  int MAX_TRANSACTION = 100;

  sealed interface Written {
    /** The write took effect; {@code after} is the item as it now is, empty after a delete. */
    record Done(Optional<Item> after) implements Written {}

    /** The condition did not hold; {@code found} is the item as it was, empty if there was none. */
    record Refused(Optional<Item> found) implements Written {}

    default boolean done() {
      return this instanceof Written.Done;
    }
  }

  sealed interface Transacted {
    record Done() implements Transacted {}

    /**
     * At least one condition did not hold, and nothing was written. Entries are in the order of the
     * writes.
     */
    record Refused(List<Refusal> refusals) implements Transacted {
      /** Returns the refusal of the write at this position, if that write was refused. */
      public Optional<Refusal> of(int position) {
        return refusals.stream().filter(refusal -> refusal.position() == position).findFirst();
      }
    }

    /**
     * Another write to an item was in progress, and nothing was written. Try again after a pause.
     */
    record Contended() implements Transacted {}

    default boolean done() {
      return this instanceof Transacted.Done;
    }
  }

  /** The write at {@code position}, whose condition did not hold, and the item that it found. */
  record Refusal(int position, Optional<Item> found) {}
}
