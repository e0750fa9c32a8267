package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.ExportFormat;
import io.actiongovernance.export.ExportJob;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The export job object (contract, section 6). */
@Doc("An export of receipts.")
record ExportJobView(
    ExportId id,
    @Field(doc = "Always `export_job`.", constant = "export_job") String object,
    @Field(
            doc = "`running`, then `complete` with a file, or `failed` with an error.",
            choices = {"running", "complete", "failed"},
            example = "complete")
        String status,
    @Field(
            doc =
                "`jsonl`: one receipt per line, as the API answers it. `csv`: RFC 4180 with a"
                    + " header.",
            example = "csv")
        ExportFormat format,
    ExportFilters filters,
    @Field(doc = "The only workspace whose receipts are in the file; null for the whole tenant.")
        @Nullable String workspaceId,
    @Field(doc = "Number of receipts in the file; null until complete.", example = "5")
        @Nullable Long rowCount,
    @Field(doc = "Size of the file in bytes; null until complete.", example = "2809")
        @Nullable Long sizeBytes,
    @Field(
            doc = "SHA-256 of the file, in hex; null until complete.",
            example = "3297d43c6cfa192942bb0bbee2c54e971c0112fdb6c2b9083e43a423707e622e")
        @Nullable String sha256,
    @Field(
            doc = "Signed URL of the file, new at each read; null unless complete.",
            example = "https://objects.example.com/exports/receipts.csv?X-Amz-Expires=900")
        @Nullable String downloadUrl,
    @Field(
            doc =
                "Time until which `download_url` is valid, 15 minutes from this answer, RFC"
                    + " 3339; null if there is none.",
            example = "2026-11-22T03:31:36.326Z")
        @Nullable Instant urlExpiresAt,
    @Field(doc = "Reason for the failure; null unless failed.") @Nullable String error,
    @Field(
            doc =
                "Time of the request: RFC 3339 in UTC, to the millisecond. Receipts written"
                    + " later are not in the file.",
            example = "2026-11-22T03:16:34.118Z")
        Instant createdAt,
    @Field(
            doc = "Time at which the export was complete or failed, RFC 3339; null while running.",
            example = "2026-11-22T03:16:36.263Z")
        @Nullable Instant completedAt,
    @Field(
            doc =
                "Time at which the file is deleted, 7 days after it was complete, RFC 3339;"
                    + " null until then.",
            example = "2026-11-29T03:16:36.263Z")
        @Nullable Instant expiresAt) {

  /** The filters as they were requested, in whole milliseconds. */
  @Doc(
      "Filters of an export: it has the receipts that `GET /v1/receipts` lists for"
          + " the same filters.")
  record ExportFilters(
      @Field(doc = "Only receipts written at this time or later, RFC 3339; null for no beginning.")
          @Nullable Instant since,
      @Field(doc = "Only receipts written before this time, RFC 3339; null for no end.")
          @Nullable Instant until,
      @Field(doc = "Only receipts with this outcome; null for all.")
          @Nullable ReceiptOutcome outcome) {
    static ExportFilters of(ExportJob.Filters filters) {
      return new ExportFilters(filters.since(), filters.until(), filters.outcome());
    }
  }
}
