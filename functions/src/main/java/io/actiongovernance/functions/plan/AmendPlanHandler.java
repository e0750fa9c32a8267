package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.proposer.AmendPlan;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/plans/{plan_id}/amend}. */
@Operation(
    summary = "Amend a plan",
    description =
        "For a plan that is proposed and does not execute. A new plan with other"
            + " arguments takes its place and is judged again; the old plan is vetoed, both"
            + " at once. The caller becomes a proposer, and so cannot approve. Fields that"
            + " the tool of an amended action does not bind to its arguments are carried over"
            + " as claims (`claimed`).",
    tag = Tag.PLANS,
    status = 201,
    answer = PlanView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class AmendPlanHandler implements RouteHandler<AmendPlanHandler.Input> {
  private final AmendPlan amendPlan;
  private final InstantSource clock;

  AmendPlanHandler(AmendPlan amendPlan, InstantSource clock) {
    this.amendPlan = amendPlan;
    this.clock = clock;
  }

  record Input(
      PlanId planId,
      @Field(
              doc =
                  "Actions that change, each once; actions not named are carried over as they"
                      + " are. Each keeps its `idempotency_key`.",
              min = 1,
              max = Action.MOST_OF_A_PLAN,
              example =
                  "[{\"action_id\":\"act_01m80m2s3240zyy0xz6nyma7jg\",\"args\":{\"order\":\"1042\",\"amount\":\"20.00\"}}]")
          List<AmendmentForm> actions,
      @Field(
              doc =
                  "Reason for the change, kept in the reason of the veto: up to 1,900 characters.",
              max = 1_900,
              example = "Half of it was returned.")
          @Nullable String note) {}

  @Doc("The new arguments of an action.")
  record AmendmentForm(
      ActionId actionId,
      @Field(
              doc = "All arguments of the action; they must fit the tool's `input_schema`.",
              example = "{\"order\":\"1042\",\"amount\":\"20.00\"}")
          ObjectNode args) {
    AmendPlan.Amendment amendment() {
      return new AmendPlan.Amendment(actionId, args);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    AmendPlan.Request request =
        new AmendPlan.Request(
            input.planId(),
            input.actions().stream().map(AmendmentForm::amendment).toList(),
            input.note(),
            call.mintedId());
    return switch (amendPlan.amend(call.caller(), request)) {
      case Done(RetrievePlan.Read read) -> Reply.created(PlanView.of(read, clock.instant()));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
