package io.actiongovernance.infra.restore;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.services.dynamodb.model.ExportFormat;
import software.amazon.awssdk.services.dynamodb.model.ExportStatus;
import software.amazon.awssdk.services.dynamodb.model.ExportType;
import software.amazon.awssdk.services.dynamodb.model.ImportStatus;
import software.amazon.awssdk.services.dynamodb.model.S3BucketSource;

/**
 * Exports of tables to S3, and imports from there, as DynamoDB on AWS makes them. DynamoDB Local
 * has neither. A failed call throws the service's own unchecked exception.
 */
public interface ExportService {
  /**
   * An export of a table.
   *
   * @param from the start of an increment's window; the epoch for a full export
   * @param to the end of an increment's window; the instant of a full export
   * @param files the folder of the exported rows
   * @param items the number of these rows, zero until the export has completed
   * @param bytes the size that AWS bills for it, zero until the export has completed
   * @param failure the code and message of a failed export; otherwise empty
   */
  record Export(
      String arn,
      ExportType type,
      ExportFormat format,
      ExportStatus status,
      Instant from,
      Instant to,
      S3BucketSource files,
      long items,
      long bytes,
      String failure) {
    /** Returns whether the export holds all rows of the table. */
    boolean full() {
      return type == ExportType.FULL_EXPORT;
    }

    boolean completed() {
      return status == ExportStatus.COMPLETED;
    }

    /** The export in one line. */
    String line() {
      String when = full() ? "as of " + to : "from " + from + " to " + to;
      String how =
          switch (status) {
            case COMPLETED -> "%s rows, %s bytes, %s".formatted(items, bytes, format);
            case FAILED -> "FAILED, %s".formatted(failure);
            default -> status.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
          };
      return "%s: %s, s3://%s/%s (%s)"
          .formatted(when, how, files.s3Bucket(), files.s3KeyPrefix(), arn);
    }
  }

  /**
   * An import into a new table.
   *
   * @param table the id of the table that it creates, which no other table of that name has
   * @param files the folder that it reads
   * @param processed number of rows that it has read
   * @param imported number of rows that it has written
   * @param errors number of rows that it could not write
   * @param failure the code and message of a failed import; otherwise empty
   */
  record Import(
      String arn,
      String table,
      ImportStatus status,
      S3BucketSource files,
      long processed,
      long imported,
      long errors,
      String failure) {
    boolean ended() {
      return status == ImportStatus.COMPLETED
          || status == ImportStatus.FAILED
          || status == ImportStatus.CANCELLED;
    }

    /** Returns whether the import reads the files of the export. */
    boolean reads(Export export) {
      return files.s3Bucket().equals(export.files().s3Bucket())
          && files.s3KeyPrefix().equals(export.files().s3KeyPrefix());
    }
  }

  /** All exports of the table that the service still lists, in any order. */
  List<Export> exports(String tableArn);

  /** All imports into tables of this name that the service still lists, in any order. */
  List<Import> imports(String tableArn);

  /** The import in its current state. */
  Import find(String importArn);

  /**
   * Begins to create a table from an export's rows.
   *
   * @return the ARN of the import
   */
  String begin(Export export, WantedTable target);
}
