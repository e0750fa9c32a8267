package io.actiongovernance.functions.billing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Metering;

/** {@code PATCH /v1/allowance}. */
public final class UpdateAllowanceHandler implements FieldsHandler {
  private final Metering metering;

  public UpdateAllowanceHandler(Wiring wiring) {
    this.metering = wiring.loop().metering();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    Long hardCap =
        body.isNull("hard_cap")
            ? null
            : Long.valueOf(body.whole("hard_cap", 0, Allowance.MOST_ACTIONS));
    body.done();
    return call.caller().sees(null)
        ? Reply.ok(
            AllowanceView.of(
                metering.cap(
                    call.caller(),
                    hardCap,
                    month -> (ObjectNode) Json.tree(AllowanceView.of(month)),
                    call.mintedId())))
        : Reply.notFound("allowance");
  }
}
