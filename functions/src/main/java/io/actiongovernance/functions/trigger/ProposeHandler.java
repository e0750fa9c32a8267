package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EventId;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.ProposeForEvent;

/**
 * Handles messages of {@code Queue.PROPOSALS}: asks operators to propose for ingested envelopes, or
 * one operator on request or by its schedule.
 */
public final class ProposeHandler extends MessageHandler {
  private final ProposeForEvent proposeForEvent;
  private final ProposalRequests requests;

  ProposeHandler(ProposeForEvent proposeForEvent, ProposalRequests requests) {
    this.proposeForEvent = proposeForEvent;
    this.requests = requests;
  }

  @Override
  protected Handled handle(JsonNode message) {
    Partition partition = Partition.parse(message.path("partition").textValue());
    String id = message.path("id").textValue();
    if (message.path("type").textValue().equals(FactType.PROPOSAL_REQUESTED.wire())) {
      requests
          .find(partition, id)
          .ifPresent(request -> proposeForEvent.propose(partition, request));
    } else {
      proposeForEvent.propose(partition, new EventId(id));
    }
    return Handled.DONE;
  }
}
