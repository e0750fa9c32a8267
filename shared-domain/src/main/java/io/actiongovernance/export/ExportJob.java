package io.actiongovernance.export;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An export of receipts into one file (specification, Receipts; contract, section 6).
 *
 * @param workspaceId the workspace of the requesting key, to whose receipts the export is limited;
 *     null for an unpinned key
 * @param createdAt the time of the request; receipts written later are not in the export
 */
public record ExportJob(
    ExportId id,
    Partition partition,
    @Nullable String workspaceId,
    ExportFormat format,
    Filters filters,
    Instant createdAt,
    State state) {
  public static final Duration FILE_LIVES = Duration.ofDays(7);

  /**
   * Filter of the receipts.
   *
   * @param since written at this time or later
   * @param until written before this time
   */
  public record Filters(
      @Nullable Instant since, @Nullable Instant until, @Nullable ReceiptOutcome outcome) {
    /** The last instant that can be written. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    /**
     * The times of receipts are whole milliseconds, so a bound within a millisecond is equivalent
     * to its end.
     */
    public Filters {
      since = wholeMillis(since);
      until = wholeMillis(until);
    }

    private static @Nullable Instant wholeMillis(@Nullable Instant bound) {
      if (bound == null) {
        return null;
      }
      Instant whole = bound.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
      return whole.isAfter(LAST) ? LAST : whole;
    }
  }

  public sealed interface State {
    /** The job's file is being written, or waits to be written. */
    record Running() implements State {}

    /**
     * The job's file exists.
     *
     * @param file its name in {@link ExportFiles}
     * @param sha256 the hash of its bytes, in hex
     */
    record Complete(String file, long rowCount, long sizeBytes, String sha256, Instant completedAt)
        implements State {
      public Instant expiresAt() {
        return completedAt.plus(FILE_LIVES);
      }
    }

    record Failed(String error, Instant completedAt) implements State {}
  }
}
