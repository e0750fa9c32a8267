package io.actiongovernance.simulation;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store that passes everything on; planted bugs override what they bend. */
public class BendingStore implements Store {
  protected final Store inner;

  protected BendingStore(Store inner) {
    this.inner = inner;
  }

  @Override
  public Optional<Item> get(Key key) {
    return inner.get(key);
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    return inner.getAll(keys);
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return inner.snapshot(keys);
  }

  @Override
  public Slice query(Query query) {
    return inner.query(query);
  }

  @Override
  public Written write(Write write) {
    return inner.write(write);
  }

  @Override
  public Transacted transact(List<Write> writes) {
    return inner.transact(writes);
  }

  /** A write that the store is told of only as done. */
  static Written pretended() {
    return new Written.Done(Optional.empty());
  }
}
