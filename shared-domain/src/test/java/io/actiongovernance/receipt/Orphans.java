package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import java.util.Optional;

/** Knows of no action and no event. */
public final class Orphans implements Ancestry {
  @Override
  public Optional<PlanId> planOf(Partition partition, ActionId action) {
    return Optional.empty();
  }

  @Override
  public Optional<CorrelationId> correlationOf(Partition partition, EventId event) {
    return Optional.empty();
  }
}
