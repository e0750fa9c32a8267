package io.actiongovernance.store;

/** The store in memory keeps the contract of stores. */
final class InMemoryStoreTest extends StoreContract {
  private final Store store = new InMemoryStore();

  @Override
  protected Store store() {
    return store;
  }
}
