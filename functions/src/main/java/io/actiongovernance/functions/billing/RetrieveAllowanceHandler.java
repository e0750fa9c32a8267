package io.actiongovernance.functions.billing;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.kernel.Metering;

/** {@code GET /v1/allowance}. */
public final class RetrieveAllowanceHandler implements FieldsHandler {
  private final Metering metering;

  public RetrieveAllowanceHandler(Wiring wiring) {
    this.metering = wiring.loop().metering();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    // It is the whole tenant's: to a key of a workspace it is not there.
    return call.caller().sees(null)
        ? Reply.ok(AllowanceView.of(metering.month(call.caller().partition())))
        : Reply.notFound("allowance");
  }
}
