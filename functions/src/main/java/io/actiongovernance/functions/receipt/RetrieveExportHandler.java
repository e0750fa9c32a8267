package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.Exports;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ExportId;

/** {@code GET /v1/receipts/exports/{export_id}}. */
@Operation(
    summary = "Retrieve an export",
    description = "The URL of the file is signed again in each answer.",
    tag = Tag.RECEIPTS,
    answer = ExportJobView.class)
public final class RetrieveExportHandler implements RouteHandler<RetrieveExportHandler.Input> {
  private final Exports exports;
  private final ExportJobViews views;

  RetrieveExportHandler(Exports exports, ExportJobViews views) {
    this.exports = exports;
    this.views = views;
  }

  record Input(ExportId exportId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return exports
        .find(call.caller(), input.exportId())
        .map(job -> Reply.ok(views.of(job)))
        .orElseGet(() -> Reply.notFound("export"));
  }
}
