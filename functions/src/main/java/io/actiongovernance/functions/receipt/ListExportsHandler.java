package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.Exports;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/receipts/exports}. */
public final class ListExportsHandler implements FieldsHandler {
  private final Exports exports;
  private final ExportViews views;

  public ListExportsHandler(Wiring wiring) {
    this.exports = wiring.exports();
    this.views = new ExportViews(wiring);
  }

  @Override
  public Reply handle(Call call) {
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return call.list(exports.list(call.caller(), page), views::of);
  }
}
