package io.actiongovernance.infra.restore;

import io.actiongovernance.infra.restore.ExportService.Export;
import io.actiongovernance.infra.restore.ExportService.Import;
import io.actiongovernance.infra.restore.RestoreTable.Wanted;
import io.actiongovernance.infra.restore.TableService.Description;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ExportFormat;
import software.amazon.awssdk.services.dynamodb.model.ImportStatus;

/**
 * The newest full export of the table in use, imported from S3. The table itself may no longer
 * exist. The increments after that export are listed, but not applied.
 *
 * @param arns returns the ARN of a table by its name
 * @param until the latest permitted instant of the export; null for any
 */
public record FullExport(ExportService exports, UnaryOperator<String> arns, @Nullable Instant until)
    implements Origin {
  @Override
  public void make(Wanted wanted, @Nullable Description there, Steps steps) {
    String target = wanted.target().name();
    List<Export> all =
        exports.exports(arns.apply(wanted.source())).stream()
            .sorted(Comparator.comparing(Export::to).thenComparing(Export::arn))
            .toList();
    Export full = newest(wanted.source(), all, steps);
    tellWhatIsMissing(full, all, steps);
    Optional<Import> begun =
        exports.imports(arns.apply(target)).stream()
            .filter(each -> there == null ? !each.ended() : each.table().equals(there.id()))
            .findFirst();
    if (there != null && begun.isEmpty()) {
      throw new Refused(
          "The table %s exists, but no import made it. It is left unchanged.".formatted(target));
    }
    begun.ifPresent(each -> requireReads(each, full, target));
    steps.step(
        "start the import of the full export of %s as %s".formatted(full.to(), target),
        begun.isPresent(),
        () -> awaitAllRows(exports.begin(full, wanted.target()), full, target, steps));
    begun
        .filter(each -> steps.apply() || each.ended())
        .ifPresent(each -> awaitAllRows(each.arn(), full, target, steps));
  }

  private Export newest(String source, List<Export> all, Steps steps) {
    steps.say("Full exports of " + source + ":");
    all.stream().filter(Export::full).forEach(each -> steps.say("  " + each.line()));
    Export newest =
        all.reversed().stream()
            .filter(each -> each.full() && each.completed())
            .filter(each -> each.format() == ExportFormat.DYNAMODB_JSON)
            .filter(each -> until == null || !each.to().isAfter(until))
            .findFirst()
            .orElseThrow(
                () ->
                    new Refused(
                        "The table %s has no completed full export%s that can be imported."
                            .formatted(
                                source, until == null ? "" : " as of " + until + " or before")));
    steps.say("This takes the one as of %s.".formatted(newest.to()));
    return newest;
  }

  /** Prints the increments after the full export, and the times that no increment covers. */
  private static void tellWhatIsMissing(Export full, List<Export> all, Steps steps) {
    List<Export> increments =
        all.stream()
            .filter(each -> !each.full() && each.to().isAfter(full.to()))
            .sorted(Comparator.comparing(Export::from))
            .toList();
    steps.say(
        ("NOT applied: the changes after %s are not in the new table. Applying increments is not"
                + " built yet. Increments after it: %s.")
            .formatted(full.to(), increments.size()));
    Instant covered = full.to();
    for (Export each : increments) {
      if (each.completed() && each.from().isAfter(covered)) {
        steps.say(
            "  GAP: no completed export has the changes from %s to %s."
                .formatted(covered, each.from()));
      }
      steps.say("  " + each.line());
      if (each.completed() && each.to().isAfter(covered)) {
        covered = each.to();
      }
    }
    steps.say("  No completed export has the changes after %s.".formatted(covered));
  }

  private static void requireReads(Import begun, Export full, String target) {
    if (!begun.reads(full)) {
      throw new Refused(
          ("The table %s was imported from %s, not from the export as of %s. Choose that export"
                  + " with --at, or delete the table first.")
              .formatted(target, begun.files().s3KeyPrefix(), full.to()));
    }
  }

  private void awaitAllRows(String arn, Export full, String target, Steps steps) {
    steps.await("The import " + arn + " has not ended", () -> exports.find(arn).ended());
    Import ended = exports.find(arn);
    if (ended.status() != ImportStatus.COMPLETED) {
      throw new Refused(
          ("The import into %s ended as %s%s. Fix that, delete the table if it exists, and run this"
                  + " again.")
              .formatted(
                  target, ended.status(), ended.failure().isEmpty() ? "" : ", " + ended.failure()));
    }
    steps.say(
        "Of the %s rows of the export, %s were read and %s imported; %s failed."
            .formatted(full.items(), ended.processed(), ended.imported(), ended.errors()));
    if (ended.errors() > 0
        || ended.processed() != full.items()
        || ended.imported() != full.items()) {
      throw new Refused(
          ("The table %s does not have all rows of the export. Read the log group"
                  + " /aws-dynamodb/imports, delete the table, and run this again.")
              .formatted(target));
    }
  }
}
