package io.actiongovernance.functions.action;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.kernel.ResolveAction;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/actions/{action_id}/resolve}. */
@Operation(
    summary = "Resolve an action whose outcome is unknown",
    description =
        "Writes a receipt of kind `resolution`, and settles the idempotency key, the"
            + " limits and the allowance by it. The disposition does not change.",
    tag = Tag.ACTIONS,
    answer = ActionView.class,
    errors = {ErrorCode.APPROVER_NOT_ELIGIBLE, ErrorCode.STATE_CONFLICT})
public final class ResolveActionHandler implements RouteHandler<ResolveActionHandler.Input> {
  private final ResolveAction resolveAction;

  ResolveActionHandler(ResolveAction resolveAction) {
    this.resolveAction = resolveAction;
  }

  record Input(
      ActionId actionId,
      @Field(
              doc =
                  "`applied` if the call took effect, else `not_applied`. Only `not_applied` is"
                      + " allowed once another action has applied the idempotency key.",
              example = "applied")
          SaidOutcome outcome,
      @Field(
              doc = "The source system's own id for what it did: up to 500 characters.",
              min = 1,
              max = 500,
              example = "re_3Q9")
          @Nullable String upstreamReference,
      @Field(
              doc = "Evidence for the outcome, kept on the receipt: 1 to 2,000 characters.",
              min = 1,
              max = 2_000,
              example = "The refund is in the dashboard.")
          String reason) {}

  @Override
  public Reply handle(Call call, Input input) {
    ResolveAction.Request request =
        new ResolveAction.Request(
            input.actionId(),
            input.outcome() == SaidOutcome.APPLIED,
            input.upstreamReference(),
            input.reason(),
            call.mintedId());
    return Reply.of(resolveAction.resolve(call.caller(), request), ActionView::of);
  }
}
