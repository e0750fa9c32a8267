package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.receipt.Ancestry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Ancestry as stored actions, events and plans record it. Thread-safe. */
public record StoredAncestry(PlannedActions planned, EventLog eventLog) implements Ancestry {
  @Override
  public List<ReceiptId> receiptsOf(Partition partition, PlanId plan) {
    Actions actions = planned.actions();
    return Stream.concat(
            actions.findAll(partition, planned.actionIds(partition, plan)).stream(),
            actions.undosOf(partition, plan))
        .flatMap(action -> action.receipts().stream())
        .toList();
  }

  @Override
  public List<ReceiptId> receiptsOf(Partition partition, ActionId action) {
    return planned.actions().find(partition, action).map(Action::receipts).orElse(List.of());
  }

  @Override
  public Optional<CorrelationId> votedUnder(Partition partition, PlanId plan) {
    return planned
        .plans()
        .find(partition, plan)
        .filter(Plan::isVotedOn)
        .map(one -> one.terms().correlationId());
  }

  @Override
  public Optional<CorrelationId> correlationOf(Partition partition, EventId event) {
    // Plans are kept longer than the event that they are for.
    return eventLog
        .find(partition, event)
        .map(Event::correlationId)
        .or(
            () ->
                eventLog.plans(partition, event).ids().stream()
                    .findFirst()
                    .flatMap(plan -> planned.plans().find(partition, plan))
                    .map(plan -> plan.terms().correlationId()));
  }
}
