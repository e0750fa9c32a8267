package io.actiongovernance.functions.event;

import io.actiongovernance.event.EventListContract;
import io.actiongovernance.functions.aws.EmbeddedDynamo;
import io.actiongovernance.store.Store;

/** The list of events on DynamoDB. */
final class DynamoEventListTest extends EventListContract {
  @Override
  protected Store store() {
    return EmbeddedDynamo.store();
  }
}
