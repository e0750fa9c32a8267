package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import java.util.List;
import java.util.Optional;

/** Knows of no plan, no action and no event. */
public final class Orphans implements Ancestry {
  @Override
  public List<ReceiptId> receiptsOf(Partition partition, PlanId plan) {
    return List.of();
  }

  @Override
  public List<ReceiptId> receiptsOf(Partition partition, ActionId action) {
    return List.of();
  }

  @Override
  public Optional<CorrelationId> votedUnder(Partition partition, PlanId plan) {
    return Optional.empty();
  }

  @Override
  public Optional<CorrelationId> correlationOf(Partition partition, EventId event) {
    return Optional.empty();
  }
}
