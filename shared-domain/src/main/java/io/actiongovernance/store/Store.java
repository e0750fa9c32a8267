package io.actiongovernance.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The one way to durable state. Each method is one atomic step: a crash falls between two calls,
 * never within one, which is what lets the simulation try them all.
 *
 * <p>Reads by key are consistent. Queries over an {@link Index} may lag behind writes; queries of a
 * base table are consistent. Implementations are thread-safe. A store that cannot answer throws
 * {@link StoreUnavailable}; a write that threw may or may not have happened.
 */
public interface Store {

  /** The item under the key, read consistently. */
  Optional<Item> get(Key key);

  /**
   * The items that exist, in the order of their keys in the list, read consistently but not as one
   * snapshot.
   */
  List<Item> getAll(List<Key> keys);

  /** The items that exist among these, by their keys; read like {@link #getAll}. */
  default Map<Key, Item> getByKey(List<Key> keys) {
    return getAll(keys).stream().collect(Collectors.toMap(Item::key, Function.identity()));
  }

  /**
   * The items that exist among these, by their keys, as they were at one moment; empty if a write
   * to one of them was under way, which is worth another try after a pause.
   *
   * @param keys at most {@value #MAX_TRANSACTION}, distinct
   */
  Optional<Map<Key, Item>> snapshot(List<Key> keys);

  /** One slice of a partition in the order of its range key. */
  Slice query(Query query);

  /**
   * How many items a range of an index has, counted up to the query's limit. An index may lag
   * behind writes. No item is read where the index itself tells.
   */
  default int count(Query query) {
    return query(query).items().size();
  }

  /** One conditional write. */
  Written write(Write write);

  /** Up to {@value #MAX_TRANSACTION} writes on distinct items, all or none. */
  Transacted transact(List<Write> writes);

  /** The most writes one transaction takes. */
  int MAX_TRANSACTION = 100;

  /** What became of a single write. */
  sealed interface Written {
    /** It took effect; {@code after} is the item as it now is, empty after a delete. */
    record Done(Optional<Item> after) implements Written {}

    /** The condition did not hold; {@code found} is the item as it was, empty if there was none. */
    record Refused(Optional<Item> found) implements Written {}

    /** Whether it took effect. */
    default boolean done() {
      return this instanceof Written.Done;
    }
  }

  /** What became of a transaction. */
  sealed interface Transacted {
    /** All writes took effect. */
    record Done() implements Transacted {}

    /**
     * At least one condition did not hold, and nothing was written. Entries are in the order of the
     * writes.
     */
    record Refused(List<Refusal> refusals) implements Transacted {
      /** The refusal of the write at this position, if it was one that was refused. */
      public Optional<Refusal> of(int position) {
        return refusals.stream().filter(refusal -> refusal.position() == position).findFirst();
      }
    }

    /**
     * Another write to one of the items was under way; nothing was written. Worth another try after
     * a pause.
     */
    record Contended() implements Transacted {}

    /** Whether it took effect. */
    default boolean done() {
      return this instanceof Transacted.Done;
    }
  }

  /** The write at {@code position} whose condition did not hold, and the item it met. */
  record Refusal(int position, Optional<Item> found) {}
}
