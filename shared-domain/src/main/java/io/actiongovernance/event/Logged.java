package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of lists and streams of events: an ingested event, or one of the service's own outcomes.
 */
public sealed interface Logged permits Event, OutcomeEvent {
  EventId id();

  Partition partition();

  @Nullable String workspaceId();

  String source();

  String eventType();

  CorrelationId correlationId();

  String payloadText();

  /** The plans that it led to, or the one that it is about. */
  List<PlanId> planIds();

  Instant createdAt();
}
