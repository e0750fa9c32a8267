package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.plan.RetrieveProposal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The proposal object: what the model of a plan was asked and answered. */
record ProposalView(
    String object,
    String planId,
    String provider,
    @Nullable String model,
    JsonNode request,
    JsonNode response,
    String digest,
    Instant proposedAt) {
  static ProposalView of(RetrieveProposal.Read read) {
    return new ProposalView(
        "proposal",
        read.planId().value(),
        read.provider(),
        read.model(),
        read.request(),
        read.response(),
        read.digest(),
        read.proposedAt());
  }
}
