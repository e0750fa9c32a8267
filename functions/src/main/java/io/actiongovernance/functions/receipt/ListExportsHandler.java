package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.Exports;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/receipts/exports}. */
@Operation(summary = "List exports", tag = Tag.RECEIPTS, answer = ExportJobView.class, list = true)
public final class ListExportsHandler implements RouteHandler<ListExportsHandler.Input> {
  private final Exports exports;
  private final ExportJobViews views;

  ListExportsHandler(Exports exports, ExportJobViews views) {
    this.exports = exports;
    this.views = views;
  }

  record Input(PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return call.list(exports.list(call.caller(), page), views::of);
  }
}
