package io.actiongovernance.functions.event;

import io.actiongovernance.event.EventLogContract;
import io.actiongovernance.functions.aws.EmbeddedDynamo;
import io.actiongovernance.store.Store;

/** The log of envelopes on DynamoDB. */
final class DynamoEventLogTest extends EventLogContract {
  @Override
  protected Store store() {
    return EmbeddedDynamo.store();
  }
}
