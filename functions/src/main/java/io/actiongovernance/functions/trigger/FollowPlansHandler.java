package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.PlanExpiry;

/**
 * Handles messages of {@code Queue.PLAN_TIMERS}: starts the timers of waiting plans that may
 * expire, and stops the timers of plans that no longer can.
 */
public final class FollowPlansHandler extends MessageHandler {
  private final PlanExpiry planExpiry;

  FollowPlansHandler(PlanExpiry planExpiry) {
    this.planExpiry = planExpiry;
  }

  @Override
  protected Handled handle(JsonNode message) {
    Partition partition = Partition.parse(message.path("partition").textValue());
    PlanId plan = new PlanId(message.path("id").textValue());
    if (message.path("type").textValue().equals(FactType.PLAN_CLOCK_STARTED.wire())) {
      planExpiry.follow(partition, plan);
    } else {
      planExpiry.stop(partition, plan);
    }
    return Handled.DONE;
  }
}
