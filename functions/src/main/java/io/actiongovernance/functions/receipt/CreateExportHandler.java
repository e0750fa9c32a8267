package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.ExportFormat;
import io.actiongovernance.export.ExportJob;
import io.actiongovernance.export.Exports;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/receipts/exports}. */
public final class CreateExportHandler implements FieldsHandler {
  private final Exports exports;
  private final ExportViews views;

  public CreateExportHandler(Wiring wiring) {
    this.exports = wiring.exports();
    this.views = new ExportViews(wiring);
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    ExportFormat format = body.choiceOrNull("format", ExportFormat::parse, "jsonl or csv");
    ExportJob.Filters filters =
        new ExportJob.Filters(
            time(body, "since"),
            time(body, "until"),
            body.choiceOrNull("outcome", ReceiptOutcome::parse, "an outcome of receipts"));
    body.done();
    ExportId id = new ExportId(ExportId.PREFIX + call.mintedId());
    return switch (exports.create(
        call.caller(), id, format == null ? ExportFormat.JSONL : format, filters)) {
      case Exports.Result.Created(ExportJob job) -> Reply.created(views.of(job));
      case Exports.Result.TooMany(int most) ->
          Reply.error(
              ErrorCode.QUOTA_EXCEEDED,
              "The tenant has %d exports running, which is as many as may.".formatted(most));
    };
  }

  private static @Nullable Instant time(Fields body, String name) {
    return body.choiceOrNull(name, Timestamps::parse, "an RFC 3339 timestamp");
  }
}
