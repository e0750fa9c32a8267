package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Facts;
import java.time.Instant;

/**
 * Proposed action that passed {@link ProposalRules}, complete except for its identifier and its
 * verdict.
 *
 * @param facts policy's input besides tool and arguments
 */
public record PlannedDraft(
    Connector connector, Tool tool, ObjectNode args, Facts facts, String idempotencyKey) {
  public Candidate candidate(Instant at) {
    return new Candidate(
        connector.id(), tool.name(), tool.tier(), connector.isRead(tool), args, facts, at);
  }
}
