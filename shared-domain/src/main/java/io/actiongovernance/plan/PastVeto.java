package io.actiongovernance.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import java.time.Instant;
import java.util.List;

/**
 * Veto of an earlier plan over the same entity, which a proposer sees as feedback (contract,
 * section 4).
 *
 * @param reason as sent, verbatim
 * @param actions the actions that the plan would have run
 */
public record PastVeto(
    PlanId planId, String vetoedBy, String reason, Instant vetoedAt, List<VetoedAction> actions) {
  public PastVeto {
    actions = List.copyOf(actions);
  }

  public record VetoedAction(String connector, String tool, ObjectNode args, EntityKey entityKey) {}
}
