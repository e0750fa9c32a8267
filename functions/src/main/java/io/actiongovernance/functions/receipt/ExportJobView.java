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
                "`jsonl`: a receipt a line, as the API answers it; `csv`: RFC 4180 with a header.",
            example = "csv")
        ExportFormat format,
    ExportFilters filters,
    @Field(doc = "The workspace whose receipts alone are in it; null for the whole tenant's.")
        @Nullable String workspaceId,
    @Field(doc = "Receipts in the file; null until complete.", example = "5")
        @Nullable Long rowCount,
    @Field(doc = "Bytes of the file; null until complete.", example = "2809")
        @Nullable Long sizeBytes,
    @Field(
            doc = "SHA-256 of the file, in hex; null until complete.",
            example = "3297d43c6cfa192942bb0bbee2c54e971c0112fdb6c2b9083e43a423707e622e")
        @Nullable String sha256,
    @Field(
            doc = "Where the file is, signed anew at each read; null unless complete.",
            example = "https://objects.example.com/exports/receipts.csv?X-Amz-Expires=900")
        @Nullable String downloadUrl,
    @Field(
            doc =
                "Until when `download_url` is good, 15 minutes from this answer, RFC 3339; null"
                    + " without one.",
            example = "2026-11-22T03:31:36.326Z")
        @Nullable Instant urlExpiresAt,
    @Field(doc = "Why it failed; null unless it did.") @Nullable String error,
    @Field(
            doc =
                "When it was asked for: RFC 3339 in UTC, to the millisecond. Receipts written later"
                    + " are not in it.",
            example = "2026-11-22T03:16:34.118Z")
        Instant createdAt,
    @Field(
            doc = "When it was complete or failed, RFC 3339; null while running.",
            example = "2026-11-22T03:16:36.263Z")
        @Nullable Instant completedAt,
    @Field(
            doc = "When the file goes, 7 days after it was complete, RFC 3339; null until then.",
            example = "2026-11-29T03:16:36.263Z")
        @Nullable Instant expiresAt) {

  /** As they were asked for, in whole milliseconds. */
  @Doc("Which receipts: those that `GET /v1/receipts` lists for the same filters.")
  record ExportFilters(
      @Field(doc = "Receipts written then or later, RFC 3339; null for no beginning.")
          @Nullable Instant since,
      @Field(doc = "Receipts written before then, RFC 3339; null for no end.")
          @Nullable Instant until,
      @Field(doc = "Receipts with this outcome alone; null for all.")
          @Nullable ReceiptOutcome outcome) {
    static ExportFilters of(ExportJob.Filters filters) {
      return new ExportFilters(filters.since(), filters.until(), filters.outcome());
    }
  }
}
