package io.actiongovernance.localstack.acceptance.deploy;

import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.CoreFlow;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import org.junit.jupiter.api.Test;

/** The governed loop from end to end. */
@Acceptance
final class CoreFlowSpec {
  @Test
  void anEventIsProposedForApprovedExecutedReceiptedAndUndone(Given given) {
    CoreFlow.run(given);
  }
}
