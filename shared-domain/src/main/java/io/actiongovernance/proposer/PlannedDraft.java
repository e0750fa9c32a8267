package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Facts;

/**
 * A proposed action that passed {@link ProposalRules}: complete, but for its identifier and its
 * verdict.
 *
 * @param facts what policy goes by besides tool and arguments
 */
public record PlannedDraft(
    Connector connector, Tool tool, ObjectNode args, Facts facts, String idempotencyKey) {
  /** What guardrails evaluate of it. */
  public Candidate candidate() {
    return new Candidate(
        connector.id(), tool.name(), tool.tier(), connector.isRead(tool), args, facts);
  }
}
