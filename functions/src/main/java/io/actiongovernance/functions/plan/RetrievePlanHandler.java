package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.RetrievePlan;
import java.time.InstantSource;

/** {@code GET /v1/plans/{plan_id}}. */
@Operation(summary = "Retrieve a plan", tag = Tag.PLANS, answer = PlanView.class)
public final class RetrievePlanHandler implements RouteHandler<RetrievePlanHandler.Input> {
  private final RetrievePlan retrievePlan;
  private final InstantSource clock;

  public RetrievePlanHandler(Wiring wiring) {
    this.retrievePlan = wiring.loop().retrievePlan();
    this.clock = wiring.clock();
  }

  /** Which one. */
  record Input(PlanId planId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        retrievePlan.retrieve(call.caller(), input.planId()),
        read -> PlanView.of(read, clock.instant()));
  }
}
