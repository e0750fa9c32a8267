package io.actiongovernance.functions.receipt;

import io.actiongovernance.api.PageRequest;
import io.actiongovernance.export.Exports;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;

/** {@code GET /v1/receipts/exports}. */
public final class ListExportsHandler implements RouteHandler {
  private final Exports exports;
  private final ExportViews views;

  public ListExportsHandler(Wiring wiring) {
    this.exports = wiring.exports();
    this.views = new ExportViews(wiring);
  }

  @Override
  public Reply handle(Call call) {
    PageRequest page = call.page();
    call.noOtherQuery();
    return call.list(exports.list(call.caller(), page), views::of);
  }
}
