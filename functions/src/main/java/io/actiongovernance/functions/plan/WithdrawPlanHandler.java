package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.plan.VetoPlanHandler.PlanVetoed;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.VetoPlan;

/** {@code POST /v1/plans/{plan_id}/withdraw}. */
@Operation(
    summary = "Withdraw a plan",
    description =
        "For the proposer, while the plan is proposed and does not execute, whatever it"
            + " waits for. The plan is vetoed, but proposers are not told of it as they are"
            + " of a veto. The caller that asked for a held undo withdraws it with"
            + " `actions:write`; any other plan takes `plans:propose`.",
    tag = Tag.PLANS,
    answer = PlanVetoed.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class WithdrawPlanHandler implements RouteHandler<WithdrawPlanHandler.Input> {
  private final VetoPlan vetoPlan;

  WithdrawPlanHandler(VetoPlan vetoPlan) {
    this.vetoPlan = vetoPlan;
  }

  record Input(
      PlanId planId,
      @Field(
              doc = "Reason for the withdrawal, kept verbatim: 1 to 2,000 characters.",
              min = 1,
              max = 2_000,
              example = "Proposed for the wrong order.")
          String reason) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        vetoPlan.withdraw(call.caller(), input.planId(), call.mintedId(), input.reason()),
        PlanVetoed::of);
  }
}
