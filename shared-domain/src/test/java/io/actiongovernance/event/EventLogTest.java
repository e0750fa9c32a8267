package io.actiongovernance.event;

import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;

/** The log of envelopes in memory. */
final class EventLogTest extends EventLogContract {
  private final Store store = new InMemoryStore();

  @Override
  protected Store store() {
    return store;
  }
}
