package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.ExportFormat;
import io.actiongovernance.export.ExportJob;
import io.actiongovernance.export.Exports;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/receipts/exports}. */
@Operation(
    summary = "Export receipts",
    description =
        "Writes receipts to a file that you can download once the job is complete. A"
            + " tenant can have two exports running at a time.",
    tag = Tag.RECEIPTS,
    status = 201,
    answer = ExportJobView.class,
    errors = ErrorCode.QUOTA_EXCEEDED)
public final class CreateExportHandler implements RouteHandler<CreateExportHandler.Input> {
  private final Exports exports;
  private final ExportJobViews views;

  CreateExportHandler(Exports exports, ExportJobViews views) {
    this.exports = exports;
    this.views = views;
  }

  record Input(
      @Field(
              doc =
                  "`jsonl` (default): one receipt per line, as the API answers it. `csv`: RFC"
                      + " 4180 with a header.",
              otherwise = "\"jsonl\"",
              example = "csv")
          ExportFormat format,
      @Field(
              doc =
                  "Only receipts written at this time or later: RFC 3339 with any offset; null"
                      + " for no beginning.")
          @Nullable Instant since,
      @Field(
              doc =
                  "Only receipts written before this time: RFC 3339 with any offset; null for no"
                      + " end.")
          @Nullable Instant until,
      @Field(doc = "Only receipts with this outcome; null for all.", example = "applied")
          @Nullable ReceiptOutcome outcome) {
    ExportJob.Filters filters() {
      return new ExportJob.Filters(since, until, outcome);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    ExportId id = new ExportId(ExportId.PREFIX + call.mintedId());
    return switch (exports.create(call.caller(), id, input.format(), input.filters())) {
      case Done(ExportJob job) -> Reply.created(views.of(job));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
