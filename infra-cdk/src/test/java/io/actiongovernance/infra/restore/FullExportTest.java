package io.actiongovernance.infra.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.infra.restore.RestoreTable.Wanted;
import io.actiongovernance.infra.restore.TableService.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.ExportStatus;
import software.amazon.awssdk.services.dynamodb.model.ImportStatus;
import software.amazon.awssdk.services.dynamodb.model.TableCreationParameters;

/** A table is made of its newest full export, and what is not in it is said. */
final class FullExportTest {
  private static final Instant OCTOBER = Instant.parse("2026-10-01T00:00:00Z");
  private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
  private static final WantedTable TARGET =
      new WantedTable(
          TableCreationParameters.builder().tableName("t-2").build(),
          true,
          "expires",
          true,
          true,
          Map.of("a", "b"),
          "{}");
  private static final String ALL =
      "stream true, expiry expires, restorable true, kept true, policy true, tags {a=b}";

  private final MadeTables tables = new MadeTables("111122223333");
  private final MadeExports exports = new MadeExports(tables);
  private final List<String> said = new ArrayList<>();
  private final List<Duration> paused = new ArrayList<>();

  @BeforeEach
  void thereAreTwoFullExports() {
    tables.make("t", new Window(OCTOBER, NOVEMBER));
    tables.put("t", "row1", "october");
    exports.exportAll("t", OCTOBER);
    tables.put("t", "row1", "november");
    tables.put("t", "row2", "november");
    exports.exportAll("t", NOVEMBER);
    tables.put("t", "row3", "later");
  }

  private static Instant november(int day) {
    return NOVEMBER.plus(Duration.ofDays(day - 1));
  }

  private Optional<Comparison> restore(boolean apply, @Nullable Instant until) {
    return restore(apply, until, paused::add);
  }

  private Optional<Comparison> restore(
      boolean apply, @Nullable Instant until, Consumer<Duration> sleeper) {
    return new RestoreTable(tables, new Steps(sleeper, said::add, apply))
        .run(
            new Wanted("t", TARGET, "111122223333", 1000),
            new FullExport(
                exports, name -> "arn:aws:dynamodb:eu-west-1:111122223333:table/" + name, until));
  }

  @Test
  void theNewestFullExportIsImportedWithAllSettings() {
    Comparison comparison = restore(true, null).orElseThrow();
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
    assertThat(tables.done()).first().isEqualTo("import t-2");
    assertThat(comparison.keys()).containsExactly("row3: in use only");
    assertThat(said)
        .contains(
            "This takes the one as of 2026-11-01T00:00:00Z.",
            "Now: start the import of the full export of 2026-11-01T00:00:00Z as t-2 …",
            "Of the 2 rows of the export, 2 were read and 2 imported; 0 failed.");
    assertThat(paused).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-01T00:00:00Z,2026-11-01T00:00:00Z",
    "2026-10-31T23:59:59Z,2026-10-01T00:00:00Z"
  })
  void theNewestExportUpToTheGivenTimeIsTaken(Instant until, Instant taken) {
    restore(false, until);
    assertThat(said).contains("Would start the import of the full export of " + taken + " as t-2.");
  }

  @Test
  void anIncompleteExportIsListedButNotTaken() {
    exports.exportAllButEndAs(ExportStatus.FAILED, "t", november(2));
    exports.exportAllButEndAs(ExportStatus.IN_PROGRESS, "t", november(3));
    restore(false, null);
    assertThat(said)
        .contains(
            "This takes the one as of 2026-11-01T00:00:00Z.",
            "  as of 2026-11-02T00:00:00Z: FAILED, S3NoSuchBucket: gone,"
                + " s3://b/t/AWSDynamoDB/export2/data/"
                + " (arn:aws:dynamodb:eu-west-1:111122223333:table/t/export/export2)",
            "  as of 2026-11-03T00:00:00Z: in progress, s3://b/t/AWSDynamoDB/export3/data/"
                + " (arn:aws:dynamodb:eu-west-1:111122223333:table/t/export/export3)");
  }

  @Test
  void aTableWithoutAFullExportIsRefused() {
    assertThatThrownBy(() -> restore(true, OCTOBER.minusSeconds(1)))
        .isInstanceOf(Refused.class)
        .hasMessage(
            "The table t has no completed full export as of 2026-09-30T23:59:59Z or before that can"
                + " be imported.");
    assertThat(tables.done()).isEmpty();
  }

  @Test
  void unappliedIncrementsAndUncoveredTimesAreListed() {
    exports.exportChanges("t", november(4), november(5));
    exports.exportChanges("t", november(1), november(2));
    exports.failToExportChanges("t", november(2), november(3));
    exports.exportChanges("t", OCTOBER, OCTOBER.plus(Duration.ofDays(1)));
    restore(false, null);
    assertThat(said.subList(4, 10))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "NOT applied: the changes after 2026-11-01T00:00:00Z are not in the new"
                            + " table. Applying increments is not built yet. Increments after it: 3."),
            line ->
                assertThat(line)
                    .startsWith(
                        "  from 2026-11-01T00:00:00Z to 2026-11-02T00:00:00Z: 0 rows, 0 bytes,"),
            line ->
                assertThat(line)
                    .startsWith("  from 2026-11-02T00:00:00Z to 2026-11-03T00:00:00Z: FAILED, "),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "  GAP: no completed export has the changes from 2026-11-02T00:00:00Z to"
                            + " 2026-11-04T00:00:00Z."),
            line ->
                assertThat(line)
                    .startsWith("  from 2026-11-04T00:00:00Z to 2026-11-05T00:00:00Z: 0 rows,"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "  No completed export has the changes after 2026-11-05T00:00:00Z."));
  }

  @Test
  void withoutApplyNothingIsDone() {
    restore(false, null);
    assertThat(tables.done()).isEmpty();
    assertThat(paused).isEmpty();
    assertThat(said)
        .endsWith(
            "Would start the import of the full export of 2026-11-01T00:00:00Z as t-2.",
            "Would then add what restoring does not copy: policy, stream, time to live,"
                + " protection from deletion, point-in-time recovery, tags.");
  }

  @Test
  void aDeletedTableCanBeImported() {
    tables.lose("t");
    assertThat(restore(true, null)).isEmpty();
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void anInterruptedRunIsContinuedByTheNext(int after) {
    tables.breakAfter(after);
    assertThatThrownBy(() -> restore(true, null)).hasMessage("The process died.");
    tables.breakAfter(100);
    assertThat(restore(true, null)).isPresent();
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
    assertThat(tables.done()).hasSize(7).doesNotHaveDuplicates();
  }

  @Test
  void aRunningImportIsWaitedFor() {
    assertThatThrownBy(
            () ->
                restore(
                    true,
                    null,
                    pause -> {
                      throw new IllegalStateException("The command was interrupted. Run it again.");
                    }))
        .hasMessage("The command was interrupted. Run it again.");
    assertThat(tables.done()).containsExactly("import t-2");
    said.clear();
    assertThat(restore(true, null)).isPresent();
    assertThat(said)
        .contains(
            "Already done: start the import of the full export of 2026-11-01T00:00:00Z as t-2.");
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
    assertThat(tables.done()).filteredOn("import t-2"::equals).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"FAILED", "CANCELLED"})
  void aFailedImportIsRefusedUntilItsTableIsDeleted(ImportStatus status) {
    exports.endImports(status, 0, 0);
    for (boolean apply : List.of(true, true, false)) {
      assertThatThrownBy(() -> restore(apply, null))
          .isInstanceOf(Refused.class)
          .hasMessage(
              "The import into t-2 ended as %s, AccessDenied: no. Fix that, delete the table if it"
                      .formatted(status)
                  + " exists, and run this again.");
    }
    assertThat(tables.done()).containsExactly("import t-2");
    tables.lose("t-2");
    exports.endImports(ImportStatus.COMPLETED, 0, 0);
    restore(true, null);
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
  }

  @ParameterizedTest
  @CsvSource({
    "1,0,'Of the 2 rows of the export, 2 were read and 1 imported; 1 failed.'",
    "0,1,'Of the 2 rows of the export, 1 were read and 1 imported; 0 failed.'"
  })
  void aTableThatLacksRowsIsRefused(long failed, long skipped, String counted) {
    exports.endImports(ImportStatus.COMPLETED, failed, skipped);
    for (boolean apply : List.of(true, true, false)) {
      assertThatThrownBy(() -> restore(apply, null))
          .isInstanceOf(Refused.class)
          .hasMessage(
              "The table t-2 does not have all rows of the export. Read the log group"
                  + " /aws-dynamodb/imports, delete the table, and run this again.");
    }
    assertThat(said).contains(counted);
    assertThat(tables.done()).containsExactly("import t-2");
  }

  @Test
  void aTableNotMadeByAnImportIsLeftUnchanged() {
    restore(true, null);
    tables.lose("t-2");
    tables.make("t-2", new Window(OCTOBER, NOVEMBER));
    List<String> done = tables.done();
    assertThatThrownBy(() -> restore(true, null))
        .isInstanceOf(Refused.class)
        .hasMessage("The table t-2 exists, but no import made it. It is left unchanged.");
    assertThat(tables.done()).isEqualTo(done);
  }

  @Test
  void aTableOfAnotherExportIsLeftUnchanged() {
    restore(true, OCTOBER);
    List<String> done = tables.done();
    assertThatThrownBy(() -> restore(true, null))
        .isInstanceOf(Refused.class)
        .hasMessage(
            "The table t-2 was imported from t/AWSDynamoDB/export0/data/, not from the export as"
                + " of 2026-11-01T00:00:00Z. Choose that export with --at, or delete the table"
                + " first.");
    assertThat(tables.done()).isEqualTo(done);
  }

  @Test
  void aTableOfAnotherAccountIsRefused() {
    MadeTables others = new MadeTables("444455556666");
    others.make("t", new Window(OCTOBER, NOVEMBER));
    assertThatThrownBy(
            () ->
                new RestoreTable(others, new Steps(paused::add, said::add, true))
                    .run(
                        new Wanted("t", TARGET, "111122223333", 1000),
                        new FullExport(exports, name -> name, null)))
        .hasMessageStartingWith("These credentials see the table ");
    assertThat(others.done()).isEmpty();
  }
}
