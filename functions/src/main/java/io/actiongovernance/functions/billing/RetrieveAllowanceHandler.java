package io.actiongovernance.functions.billing;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.kernel.Metering;

/** {@code GET /v1/allowance}. */
@Operation(
    summary = "Retrieve the allowance",
    tag = Tag.ALLOWANCE,
    answer = AllowanceView.class,
    errors = ErrorCode.NOT_FOUND)
public final class RetrieveAllowanceHandler implements RouteHandler<NoInput> {
  private final Metering metering;

  RetrieveAllowanceHandler(Metering metering) {
    this.metering = metering;
  }

  @Override
  public Reply handle(Call call, NoInput none) {
    return Reply.of(metering.month(call.caller()), AllowanceView::of);
  }
}
