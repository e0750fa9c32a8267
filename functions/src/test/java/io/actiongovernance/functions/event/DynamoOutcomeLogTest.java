package io.actiongovernance.functions.event;

import io.actiongovernance.event.OutcomeLogContract;
import io.actiongovernance.functions.aws.EmbeddedDynamo;
import io.actiongovernance.store.Store;

/** The log of outcomes on DynamoDB. */
final class DynamoOutcomeLogTest extends OutcomeLogContract {
  @Override
  protected Store store() {
    return EmbeddedDynamo.store();
  }
}
