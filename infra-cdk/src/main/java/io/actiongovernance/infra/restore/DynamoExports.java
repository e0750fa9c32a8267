package io.actiongovernance.infra.restore;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ExportDescription;
import software.amazon.awssdk.services.dynamodb.model.ExportSummary;
import software.amazon.awssdk.services.dynamodb.model.ExportType;
import software.amazon.awssdk.services.dynamodb.model.ImportSummary;
import software.amazon.awssdk.services.dynamodb.model.ImportTableDescription;
import software.amazon.awssdk.services.dynamodb.model.IncrementalExportSpecification;
import software.amazon.awssdk.services.dynamodb.model.InputCompressionType;
import software.amazon.awssdk.services.dynamodb.model.InputFormat;
import software.amazon.awssdk.services.dynamodb.model.S3BucketSource;

/** Exports and imports of DynamoDB. Thread-safe. */
public final class DynamoExports implements ExportService {
  private final DynamoDbClient client;

  public DynamoExports(DynamoDbClient client) {
    this.client = client;
  }

  @Override
  public List<Export> exports(String tableArn) {
    return client.listExportsPaginator(asked -> asked.tableArn(tableArn)).stream()
        .flatMap(page -> page.exportSummaries().stream())
        .map(ExportSummary::exportArn)
        .map(arn -> client.describeExport(asked -> asked.exportArn(arn)).exportDescription())
        .map(DynamoExports::export)
        .toList();
  }

  private static Export export(ExportDescription described) {
    boolean full = described.exportType() != ExportType.INCREMENTAL_EXPORT;
    IncrementalExportSpecification window = described.incrementalExportSpecification();
    return new Export(
        described.exportArn(),
        full ? ExportType.FULL_EXPORT : ExportType.INCREMENTAL_EXPORT,
        described.exportFormat(),
        described.exportStatus(),
        full ? Instant.EPOCH : window.exportFromTime(),
        full ? described.exportTime() : window.exportToTime(),
        files(described),
        count(described.itemCount()),
        count(described.billedSizeBytes()),
        failure(described.failureCode(), described.failureMessage()));
  }

  /**
   * The folder of an export's rows, which DynamoDB names after the last part of the export's ARN.
   */
  private static S3BucketSource files(ExportDescription described) {
    String arn = described.exportArn();
    String prefix = described.s3Prefix();
    return S3BucketSource.builder()
        .s3Bucket(described.s3Bucket())
        // Without an owner, anyone who has taken the name of a deleted bucket could supply the
        // rows.
        .s3BucketOwner(
            Objects.requireNonNullElseGet(described.s3BucketOwner(), () -> arn.split(":", -1)[4]))
        .s3KeyPrefix(
            "%sAWSDynamoDB/%s/data/"
                .formatted(
                    prefix == null || prefix.isEmpty() ? "" : prefix + "/",
                    arn.substring(arn.lastIndexOf('/') + 1)))
        .build();
  }

  @Override
  public List<Import> imports(String tableArn) {
    return client.listImportsPaginator(asked -> asked.tableArn(tableArn)).stream()
        .flatMap(page -> page.importSummaryList().stream())
        .map(ImportSummary::importArn)
        .map(this::find)
        .toList();
  }

  @Override
  public Import find(String importArn) {
    ImportTableDescription described =
        client.describeImport(asked -> asked.importArn(importArn)).importTableDescription();
    return new Import(
        described.importArn(),
        Objects.requireNonNullElse(described.tableId(), ""),
        described.importStatus(),
        described.s3BucketSource(),
        count(described.processedItemCount()),
        count(described.importedItemCount()),
        count(described.errorCount()),
        failure(described.failureCode(), described.failureMessage()));
  }

  private static long count(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private static String failure(@Nullable String code, @Nullable String message) {
    return Stream.of(code, message).filter(Objects::nonNull).collect(Collectors.joining(": "));
  }

  @Override
  public String begin(Export export, WantedTable target) {
    return client
        .importTable(
            asked ->
                asked
                    .s3BucketSource(export.files())
                    .inputFormat(InputFormat.DYNAMODB_JSON)
                    .inputCompressionType(InputCompressionType.GZIP)
                    .tableCreationParameters(target.creation()))
        .importTableDescription()
        .importArn();
  }
}
