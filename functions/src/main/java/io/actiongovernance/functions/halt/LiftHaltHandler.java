package io.actiongovernance.functions.halt;

import io.actiongovernance.api.Fields;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.halt.Halt;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.id.HaltId;

/** {@code POST /v1/halts/{halt_id}/lift}. */
public final class LiftHaltHandler implements RouteHandler {
  private final Halts halts;

  public LiftHaltHandler(Wiring wiring) {
    this.halts = wiring.loop().halts();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    String reason = body.text("reason", 1, 2_000);
    body.done();
    HaltId id = call.id("halt_id", HaltId::parse);
    Halts.Result result = halts.lift(call.caller(), id, call.mintedId(), reason);
    return result instanceof Halts.Result.Done(Halt halt)
        ? Reply.ok(HaltView.of(halt))
        : HaltReplies.refusal(result);
  }
}
