package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreContract;

/** The store on DynamoDB keeps the contract of stores. */
final class DynamoStoreTest extends StoreContract {
  private final Store store = EmbeddedDynamo.store();

  @Override
  protected Store store() {
    return store;
  }
}
