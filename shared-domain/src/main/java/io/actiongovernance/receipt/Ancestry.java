package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import java.util.List;
import java.util.Optional;

/** Relation of plans, actions and events to their receipts. */
public interface Ancestry {
  /**
   * Returns the receipts of a plan's actions and of their undos. The result may lack an undo that
   * has just ended. Empty if the plan does not exist.
   */
  List<ReceiptId> receiptsOf(Partition partition, PlanId plan);

  /**
   * Returns the receipts of an action, which may be an undo; empty if the action does not exist.
   */
  List<ReceiptId> receiptsOf(Partition partition, ActionId action);

  /**
   * Returns the correlation of all receipts of a plan that people voted on, because receipts of
   * votes belong to no action; empty if nobody voted.
   */
  Optional<CorrelationId> votedUnder(Partition partition, PlanId plan);

  /**
   * Returns the correlation of everything that resulted from an event; empty if it is not known.
   */
  Optional<CorrelationId> correlationOf(Partition partition, EventId event);
}
