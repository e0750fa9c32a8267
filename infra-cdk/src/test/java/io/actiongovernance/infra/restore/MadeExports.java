package io.actiongovernance.infra.restore;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ExportFormat;
import software.amazon.awssdk.services.dynamodb.model.ExportStatus;
import software.amazon.awssdk.services.dynamodb.model.ExportType;
import software.amazon.awssdk.services.dynamodb.model.ImportStatus;
import software.amazon.awssdk.services.dynamodb.model.S3BucketSource;

/**
 * Exports in memory, of tables in memory and into them. An import ends after it was looked at some
 * times, as a test has said. Not thread-safe.
 */
public final class MadeExports implements ExportService {
  private static final int LOOKS = 2;

  private final MadeTables tables;
  private final List<Export> exports = new ArrayList<>();
  private final Map<String, Map<String, Map<String, AttributeValue>>> rows = new HashMap<>();
  private final List<Import> imports = new ArrayList<>();
  private ImportStatus end = ImportStatus.COMPLETED;
  private int looks;
  private long errors;
  private long skipped;

  /** Exports of those tables, and imports into them. */
  public MadeExports(MadeTables tables) {
    this.tables = tables;
  }

  /** Exports all rows that the table has now. */
  public void exportAll(String table, Instant at) {
    Map<String, Map<String, AttributeValue>> now = tables.rows(table);
    rows.put(
        add(table, ExportType.FULL_EXPORT, ExportStatus.COMPLETED, Instant.EPOCH, at, now), now);
  }

  /** Exports what has changed in a window. */
  public void exportChanges(String table, Instant from, Instant to) {
    add(table, ExportType.INCREMENTAL_EXPORT, ExportStatus.COMPLETED, from, to, Map.of());
  }

  /** A full export that has not ended, or that failed. */
  void exportAllButEndAs(ExportStatus status, String table, Instant at) {
    add(table, ExportType.FULL_EXPORT, status, Instant.EPOCH, at, Map.of());
  }

  /** An increment that failed. */
  void failToExportChanges(String table, Instant from, Instant to) {
    add(table, ExportType.INCREMENTAL_EXPORT, ExportStatus.FAILED, from, to, Map.of());
  }

  /** How the imports end from here on. */
  void endImports(ImportStatus status, long failedRows, long skippedRows) {
    end = status;
    errors = failedRows;
    skipped = skippedRows;
  }

  private String add(
      String table,
      ExportType type,
      ExportStatus status,
      Instant from,
      Instant to,
      Map<String, Map<String, AttributeValue>> has) {
    String id = "export" + exports.size();
    String arn = "arn:aws:dynamodb:eu-west-1:111122223333:table/" + table + "/export/" + id;
    exports.add(
        new Export(
            arn,
            type,
            ExportFormat.DYNAMODB_JSON,
            status,
            from,
            to,
            S3BucketSource.builder()
                .s3Bucket("b")
                .s3KeyPrefix(table + "/AWSDynamoDB/" + id + "/data/")
                .build(),
            has.size(),
            has.size() * 100L,
            status == ExportStatus.FAILED ? "S3NoSuchBucket: gone" : ""));
    return arn;
  }

  @Override
  public List<Export> exports(String tableArn) {
    return exports.stream().filter(each -> each.arn().startsWith(tableArn + "/")).toList();
  }

  @Override
  public List<Import> imports(String tableArn) {
    return imports.stream().filter(each -> each.arn().startsWith(tableArn + "/")).toList();
  }

  @Override
  public Import find(String importArn) {
    for (int at = 0; at < imports.size(); at++) {
      Import found = imports.get(at);
      if (found.arn().equals(importArn)) {
        if (!found.ended() && looks++ >= LOOKS) {
          imports.set(at, ended(found));
        }
        return imports.get(at);
      }
    }
    throw new IllegalStateException("There is no import " + importArn);
  }

  private Import ended(Import begun) {
    return new Import(
        begun.arn(),
        begun.table(),
        end,
        begun.files(),
        begun.processed() - skipped,
        begun.processed() - skipped - errors,
        errors,
        end == ImportStatus.COMPLETED ? "" : "AccessDenied: no");
  }

  @Override
  public String begin(Export export, WantedTable target) {
    Map<String, Map<String, AttributeValue>> all = Objects.requireNonNull(rows.get(export.arn()));
    String id = tables.makeOf(target.name(), all);
    String arn =
        "arn:aws:dynamodb:eu-west-1:111122223333:table/%s/import/%s"
            .formatted(target.name(), imports.size());
    looks = 0;
    imports.add(
        new Import(arn, id, ImportStatus.IN_PROGRESS, export.files(), all.size(), 0, 0, ""));
    return arn;
  }
}
