package io.actiongovernance.localstack.acceptance;

import org.junit.jupiter.api.Test;

/** The governed loop from end to end. */
@Acceptance
final class CoreFlowSpec {
  @Test
  void anEventIsProposedForApprovedCarriedOutReceiptedAndTakenBack(Given given) {
    CoreFlow.run(given);
  }
}
