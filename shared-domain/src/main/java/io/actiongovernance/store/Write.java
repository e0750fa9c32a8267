package io.actiongovernance.store;

import java.util.List;

/** One write to one item. It takes effect only if its condition holds for the stored item. */
public sealed interface Write {
  Key key();

  Condition condition();

  /** Stores the item in place of any item under its key. */
  record Put(Item item, Condition condition) implements Write {
    @Override
    public Key key() {
      return item.key();
    }
  }

  /** Changes attributes, and creates the item if it does not exist. */
  record Update(Key key, List<Change> changes, Condition condition) implements Write {
    public Update {
      changes = List.copyOf(changes);
    }
  }

  record Delete(Key key, Condition condition) implements Write {}

  /** Changes nothing. In a transaction, its condition must hold. */
  record Check(Key key, Condition condition) implements Write {}

  static Write put(Item item, Condition condition) {
    return new Put(item, condition);
  }

  /** Stores an item only if there is none under its key yet. */
  static Write insert(Item item) {
    return new Put(item, Condition.absent());
  }

  static Write update(Key key, Condition condition, Change... changes) {
    return new Update(key, List.of(changes), condition);
  }

  static Write update(Key key, Condition condition, List<Change> changes) {
    return new Update(key, changes, condition);
  }

  static Write delete(Key key, Condition condition) {
    return new Delete(key, condition);
  }

  static Write check(Key key, Condition condition) {
    return new Check(key, condition);
  }
}
