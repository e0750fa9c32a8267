package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry in lists and streams of events: an ingested event, or one of the service's own outcomes.
 */
public sealed interface Logged permits Event, OutcomeEvent {
  EventId id();

  Partition partition();

  @Nullable String workspaceId();

  String source();

  String eventType();

  CorrelationId correlationId();

  String payloadText();

  /** The plans that the event led to, or the plan that the outcome is about. */
  List<PlanId> planIds();

  Instant createdAt();
}
