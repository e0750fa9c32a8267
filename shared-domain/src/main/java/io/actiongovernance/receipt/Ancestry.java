package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import java.util.List;
import java.util.Optional;

/** Says which receipts a plan and an action have, and among which those of an event are. */
public interface Ancestry {
  /**
   * The receipts of a plan's actions, and of what was done to undo these; of an undo that has just
   * ended, perhaps not yet. None if there is no such plan.
   */
  List<ReceiptId> receiptsOf(Partition partition, PlanId plan);

  /** The receipts of an action, which may be an undo; none if there is no such action. */
  List<ReceiptId> receiptsOf(Partition partition, ActionId action);

  /**
   * What all receipts of a plan have in common if people voted on it, since those of votes are of
   * no action; empty if nobody did.
   */
  Optional<CorrelationId> votedUnder(Partition partition, PlanId plan);

  /** What all that came of an event has in common; empty if nothing is known of the event. */
  Optional<CorrelationId> correlationOf(Partition partition, EventId event);
}
