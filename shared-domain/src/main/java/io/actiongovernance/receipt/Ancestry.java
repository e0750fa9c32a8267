package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import java.util.Optional;

/** Says among which receipts those of an action or of an event are to be looked for. */
public interface Ancestry {
  /** The plan of an action; empty if there is no such action. */
  Optional<PlanId> planOf(Partition partition, ActionId action);

  /** What all that came of an event has in common; empty if nothing is known of the event. */
  Optional<CorrelationId> correlationOf(Partition partition, EventId event);
}
