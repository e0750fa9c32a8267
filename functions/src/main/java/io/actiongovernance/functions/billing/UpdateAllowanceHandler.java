package io.actiongovernance.functions.billing;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.kernel.Metering;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/allowance}. */
@Operation(
    summary = "Set the hard cap",
    tag = Tag.ALLOWANCE,
    answer = AllowanceView.class,
    errors = ErrorCode.NOT_FOUND)
public final class UpdateAllowanceHandler implements RouteHandler<UpdateAllowanceHandler.Input> {
  private final Metering metering;

  UpdateAllowanceHandler(Metering metering) {
    this.metering = metering;
  }

  /** The new cap, which is required: nothing else can be changed. */
  record Input(
      @Field(
              doc = "Number of actions a month beyond which nothing runs; null for no cap.",
              required = true,
              min = 0,
              max = Allowance.MOST_ACTIONS,
              format = "int64",
              example = "1000")
          @Nullable Long hardCap) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        metering.cap(call.caller(), input.hardCap(), AllowanceView::form, call.mintedId()),
        AllowanceView::of);
  }
}
