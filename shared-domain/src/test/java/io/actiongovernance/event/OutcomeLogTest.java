package io.actiongovernance.event;

import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;

/** The log of outcomes in memory. */
final class OutcomeLogTest extends OutcomeLogContract {
  private final Store store = new InMemoryStore();

  @Override
  protected Store store() {
    return store;
  }
}
