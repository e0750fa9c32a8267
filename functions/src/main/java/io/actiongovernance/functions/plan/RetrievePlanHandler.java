package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.RetrievePlan;
import java.time.InstantSource;

/** {@code GET /v1/plans/{plan_id}}. */
public final class RetrievePlanHandler implements FieldsHandler {
  private final RetrievePlan retrievePlan;
  private final InstantSource clock;

  public RetrievePlanHandler(Wiring wiring) {
    this.retrievePlan = wiring.loop().retrievePlan();
    this.clock = wiring.clock();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return retrievePlan
        .retrieve(call.caller(), call.id("plan_id", PlanId::parse))
        .map(read -> Reply.ok(PlanView.of(read, clock.instant())))
        .orElseGet(() -> Reply.notFound("plan"));
  }
}
