package io.actiongovernance.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A store in memory of which single tables can be put back to a remembered second, as one does
 * after a disaster. Not to be put back while it is used.
 */
public final class RestorableStore implements Store {
  private InMemoryStore now = new InMemoryStore();
  private List<Item> remembered = List.of();

  /** This is the second. */
  public void remember() {
    remembered = now.everything();
  }

  /** Puts the table back to that second; all others stay. */
  public void restore(Table table) {
    InMemoryStore restored = new InMemoryStore();
    now.everything().stream()
        .filter(item -> item.key().table() != table)
        .forEach(item -> restored.write(Write.insert(item)));
    remembered.stream()
        .filter(item -> item.key().table() == table)
        .forEach(item -> restored.write(Write.insert(item)));
    now = restored;
  }

  @Override
  public Optional<Item> get(Key key) {
    return now.get(key);
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    return now.getAll(keys);
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return now.snapshot(keys);
  }

  @Override
  public Slice query(Query query) {
    return now.query(query);
  }

  @Override
  public Written write(Write write) {
    return now.write(write);
  }

  @Override
  public Transacted transact(List<Write> writes) {
    return now.transact(writes);
  }
}
