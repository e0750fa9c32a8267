package io.actiongovernance.functions.halt;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.id.HaltId;

/** {@code POST /v1/halts/{halt_id}/lift}. */
@Operation(
    summary = "Lift a halt",
    description =
        "Calls and plans that waited continue. Requires a key that is neither pinned to"
            + " a workspace nor bound to operators.",
    tag = Tag.HALTS,
    answer = HaltView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class LiftHaltHandler implements RouteHandler<LiftHaltHandler.Input> {
  private final Halts halts;

  LiftHaltHandler(Halts halts) {
    this.halts = halts;
  }

  record Input(
      HaltId haltId,
      @Field(
              doc = "Reason for lifting the halt, kept on the receipt: 1 to 2,000 characters.",
              min = 1,
              max = 2_000,
              example = "It was a false alarm.")
          String reason) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        halts.lift(call.caller(), input.haltId(), call.mintedId(), input.reason()), HaltView::of);
  }
}
