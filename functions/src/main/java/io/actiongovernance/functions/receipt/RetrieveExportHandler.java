package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.Exports;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ExportId;

/** {@code GET /v1/receipts/exports/{export_id}}. */
public final class RetrieveExportHandler implements FieldsHandler {
  private final Exports exports;
  private final ExportViews views;

  public RetrieveExportHandler(Wiring wiring) {
    this.exports = wiring.exports();
    this.views = new ExportViews(wiring);
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return exports
        .find(call.caller(), call.id("export_id", ExportId::parse))
        .map(job -> Reply.ok(views.of(job)))
        .orElseGet(() -> Reply.notFound("export"));
  }
}
