package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.policy.Candidate;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A proposed action that passed {@link ProposalRules}: complete, but for its identifier and its
 * verdict.
 */
public record PlannedDraft(
    Connector connector,
    Tool tool,
    ObjectNode args,
    @Nullable BigDecimal value,
    String entityKey,
    String idempotencyKey) {
  /** What guardrails judge of it. */
  public Candidate candidate() {
    return new Candidate(connector.id(), tool.name(), tool.tier(), args, value, entityKey);
  }
}
