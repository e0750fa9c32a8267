package io.actiongovernance.functions.halt;

import io.actiongovernance.api.PageRequest;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.halt.Halts;

/** {@code GET /v1/halts}. */
public final class ListHaltsHandler implements RouteHandler {
  private final Halts halts;

  public ListHaltsHandler(Wiring wiring) {
    this.halts = wiring.loop().halts();
  }

  @Override
  public Reply handle(Call call) {
    Boolean active = call.queryFlag("active");
    PageRequest page = call.page();
    call.noOtherQuery();
    return call.list(halts.list(call.caller(), active, page), HaltView::of);
  }
}
