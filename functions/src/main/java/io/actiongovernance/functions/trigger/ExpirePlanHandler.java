package io.actiongovernance.functions.trigger;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.PlanExpiry;
import io.actiongovernance.time.TimerKind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Handles the timer {@link TimerKind#PLAN_EXPIRY}: records that a plan has expired. */
public final class ExpirePlanHandler extends TimerHandler {
  private final PlanExpiry planExpiry;

  ExpirePlanHandler(PlanExpiry planExpiry) {
    this.planExpiry = planExpiry;
  }

  @Override
  protected Optional<Instant> handle(Map<String, Object> timer) {
    return planExpiry.fired(
        Partition.parse(id(timer, PlanExpiry.PARTITION)), new PlanId(id(timer, PlanExpiry.PLAN)));
  }
}
