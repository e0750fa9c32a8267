package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.receipt.Ancestry;
import java.util.Optional;

/** What stored actions, events and plans say of where they come from. Thread-safe. */
public record StoredAncestry(PlannedActions planned, EventLog eventLog) implements Ancestry {
  @Override
  public Optional<PlanId> planOf(Partition partition, ActionId action) {
    return planned.actions().find(partition, action).map(found -> found.terms().planId());
  }

  @Override
  public Optional<CorrelationId> correlationOf(Partition partition, EventId event) {
    // Plans outlive the event they are for.
    return eventLog
        .find(partition, event)
        .map(Event::correlationId)
        .or(
            () ->
                planned
                    .plans()
                    .newestOf(partition, event)
                    .map(plan -> plan.terms().correlationId()));
  }
}
