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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TableCreationParameters;

/** A table is made as it was, and given what restoring does not carry. */
final class RestoreTableTest {
  private static final Instant MORNING = Instant.parse("2026-11-26T06:00:00Z");
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");
  private static final Instant AT = Instant.parse("2026-11-26T10:00:00Z");
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
  private final List<String> said = new ArrayList<>();
  private final List<Duration> paused = new ArrayList<>();

  @BeforeEach
  void thereIsATable() {
    tables.make("t", new Window(MORNING, NOON));
    for (int row = 0; row < 8; row++) {
      tables.put("t", "row" + row, "old");
    }
    tables.second("t");
  }

  private static Wanted wanted(int sample) {
    return new Wanted("t", TARGET, "111122223333", sample);
  }

  private Comparison restore() {
    return run(true, AT, wanted(1000));
  }

  private Comparison run(boolean apply, Instant at, Wanted wanted) {
    return new RestoreTable(tables, new Steps(paused::add, said::add, apply))
        .run(wanted, new PointInTime(tables, at))
        .orElse(new Comparison(0, false, 0, 0, 0, List.of()));
  }

  @Test
  void aTableIsRestoredBesideTheOneInUseWithAllSettings() {
    Comparison comparison = restore();
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
    assertThat(comparison.same()).isTrue();
    assertThat(comparison.all()).isTrue();
    assertThat(comparison.looked()).isEqualTo(8);
    assertThat(tables.done()).first().isEqualTo("restore t-2");
    assertThat(tables.done()).noneMatch(change -> change.endsWith(" t"));
    assertThat(paused).isNotEmpty();
  }

  @Test
  void differingRowsAreReported() {
    tables.put("t", "row1", "new");
    tables.delete("t", "row2");
    tables.put("t", "row9", "new");
    Comparison comparison = restore();
    assertThat(comparison.sentence())
        .isEqualTo(
            "Of all 9 rows, 1 differ, 1 are only in the table in use, 1 only in the restored one.");
    assertThat(comparison.keys())
        .containsExactlyInAnyOrder("row1: changed", "row9: in use only", "row2: restored only");
    assertThat(said).contains(comparison.sentence(), "  row1: changed");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 7})
  void onlyTheFirstRowsOfALargeTableAreCompared(int rows) {
    Comparison comparison = run(true, AT, wanted(rows));
    assertThat(comparison.all()).isFalse();
    assertThat(comparison.looked()).isEqualTo(rows);
    assertThat(comparison.sentence()).startsWith("Of the first " + rows + " rows");
  }

  @Test
  void withoutApplyNothingIsDone() {
    run(false, AT, wanted(1000));
    assertThat(tables.done()).isEmpty();
    assertThat(said)
        .containsExactly(
            "Would restore t as of 2026-11-26T10:00:00Z as t-2.",
            "Would then add what restoring does not copy: policy, stream, time to live,"
                + " protection from deletion, point-in-time recovery, tags.");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void anInterruptedRunIsContinuedByTheNext(int after) {
    tables.breakAfter(after);
    assertThatThrownBy(this::restore).hasMessage("The process died.");
    assertThat(tables.done()).hasSize(after);
    tables.breakAfter(100);
    assertThat(restore().same()).isTrue();
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
    assertThat(tables.done()).hasSize(7).doesNotHaveDuplicates();
  }

  @Test
  void aSecondRunDoesNothingMore() {
    restore();
    List<String> done = tables.done();
    said.clear();
    restore();
    assertThat(tables.done()).isEqualTo(done);
    assertThat(said).contains("The table t-2 already exists.", "Already done: give it a stream.");
    run(false, AT, wanted(1000));
    assertThat(said).noneMatch(line -> line.startsWith("Would"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-26T05:59:59Z", "2026-11-26T12:00:01Z"})
  void aSecondThatCannotBeRestoredIsRefused(String at) {
    assertThatThrownBy(() -> run(true, Instant.parse(at), wanted(1)))
        .isInstanceOf(Refused.class)
        .hasMessage(
            "The table t can be restored to a second from 2026-11-26T06:00:00Z to"
                + " 2026-11-26T12:00:00Z, not to "
                + at
                + ".");
    assertThat(tables.done()).isEmpty();
  }

  @Test
  void aDifferentExistingTableIsLeftUnchanged() {
    restore();
    assertThatThrownBy(() -> run(true, AT.plusSeconds(1), wanted(1)))
        .isInstanceOf(Refused.class)
        .hasMessage(
            "The table t-2 was restored to 2026-11-26T10:00:00Z, not to 2026-11-26T10:00:01Z. Use"
                + " that second, or delete the table first.");
    tables.lose("t-2");
    tables.make("t-2", new Window(MORNING, NOON));
    List<String> done = tables.done();
    assertThatThrownBy(this::restore)
        .hasMessage(
            "The table t-2 exists, but was not restored from another. It is left unchanged.");
    assertThat(tables.done()).isEqualTo(done);
  }

  @Test
  void aDeletedTableIsFinishedFromItsBackup() {
    tables.lose("t");
    assertThatThrownBy(this::restore)
        .hasMessage(
            "There is no table t. Restore the backup of the moment before its deletion as t-2, and"
                + " run this again with that moment.");
    tables.make("b", new Window(MORNING, NOON));
    tables.restore("b", "t-2", AT);
    restore();
    assertThat(tables.carried("t-2")).isEqualTo(ALL);
  }

  @Test
  void aTableOfAnotherAccountIsNotTouched() {
    Wanted elsewhere = new Wanted("t", TARGET, "444455556666", 1);
    assertThatThrownBy(() -> run(true, AT, elsewhere))
        .hasMessage(
            "These credentials see the table arn:aws:dynamodb:eu-west-1:111122223333:table/t, but"
                + " the environment is in the account 444455556666.");
    assertThat(tables.done()).isEmpty();
  }

  @Test
  void aTableWithoutPointInTimeRecoveryIsNotRestored() {
    tables.make("u", new Window(MORNING, NOON));
    tables.restore("u", "v", AT);
    assertThatThrownBy(() -> run(true, AT, new Wanted("v", TARGET, "111122223333", 1)))
        .hasMessage("The table v has no point-in-time recovery.");
  }
}
