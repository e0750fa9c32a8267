package io.actiongovernance.proposer;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.event.Event;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.PastVeto;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a proposer sees (contract, section 4).
 *
 * @param event null for a scheduled run
 * @param connectors the connectors that the operator may use
 * @param vetoes vetoes of earlier plans over the same entity, newest first, at most 10
 */
public record ProposalContext(
    Operator operator, @Nullable Event event, List<Connector> connectors, List<PastVeto> vetoes) {
  public ProposalContext {
    connectors = List.copyOf(connectors);
    vetoes = List.copyOf(vetoes);
  }
}
