package io.actiongovernance.event;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outcome in the log (contract for agents, section 3).
 *
 * @param slot its position, and its place among ingested events
 */
public record OutcomeEvent(Partition partition, NewOutcome outcome, Slot slot) implements Logged {
  @Override
  public EventId id() {
    return outcome.id();
  }

  public OutcomeType type() {
    return outcome.type();
  }

  @Override
  public @Nullable String workspaceId() {
    return outcome.workspaceId();
  }

  @Override
  public String source() {
    return outcome.source();
  }

  @Override
  public String eventType() {
    return type().wire();
  }

  @Override
  public CorrelationId correlationId() {
    return outcome.correlationId();
  }

  @Override
  public String payloadText() {
    return Json.write(outcome.payload());
  }

  @Override
  public List<PlanId> planIds() {
    return List.of(outcome.planId());
  }

  @Override
  public Instant createdAt() {
    return slot.at();
  }

  /** Returns whether the caller may see it, by scope, workspace and operator. */
  boolean isSeenBy(Caller caller) {
    return caller.scopes().contains(type().included().scope())
        && caller.sees(outcome.workspaceId(), outcome.operatorId());
  }
}
