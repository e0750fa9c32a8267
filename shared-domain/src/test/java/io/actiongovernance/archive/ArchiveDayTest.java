package io.actiongovernance.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.action.Action;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is written into the archive, of which day, and when it counts. */
final class ArchiveDayTest {
  private final ArchiveFixture given = new ArchiveFixture();
  private final LocalDate first = given.today();

  private void nextDay() {
    given.days(1);
  }

  @Test
  void whatEndedIsInTheArchiveAsItIsInItsTable() {
    given.ran("1");
    Plan vetoed = given.held("2");
    Outcomes.done(
        given.loop.loop.vetoPlan().veto(given.loop.caller, vetoed.id(), "key", "No.", null));
    given.loop.propose(given.loop.refund("3", 5));
    given.loop.deliver();
    nextDay();
    given.upToYesterday(first);
    assertThat(given.archived(first)).isEqualTo(given.ended()).hasSizeGreaterThan(10);
  }

  @Test
  void everyRowIsALineAndBackTheSameRow() {
    given.ran("1");
    given.unknown("2");
    for (Item row : given.store.everything()) {
      RowLine line = RowLine.of(row);
      assertThat(line.text()).doesNotContain("\n");
      assertThat(line.item()).isEqualTo(row);
      assertThat(RowLine.of(line.item())).isEqualTo(line);
    }
  }

  @Test
  void whereverTheProcessDiesTheDayIsWrittenOnceAndWhole() {
    given.ran("1");
    given.ran("2");
    nextDay();
    Manifest whole = given.archive.write(given.partition, first);
    Map<String, byte[]> expected = Map.copyOf(given.objects.all());
    int puts = expected.size();
    for (int put = 0; put < puts; put++) {
      for (boolean after : new boolean[] {false, true}) {
        given.objects.all().clear();
        given.objects.dieAt(put, after);
        assertThatExceptionOfType(InMemoryArchiveObjects.Died.class)
            .isThrownBy(() -> given.archive.write(given.partition, first));
        boolean complete = put == puts - 1 && after;
        assertThat(given.archived(first).isEmpty()).isEqualTo(!complete);
        given.objects.dieAt(Integer.MAX_VALUE, false);
        assertThat(given.archive.write(given.partition, first)).isEqualTo(whole);
        assertThat(given.objects.all().keySet()).isEqualTo(expected.keySet());
        expected.forEach(
            (name, content) -> assertThat(given.objects.all().get(name)).isEqualTo(content));
      }
    }
  }

  @Test
  void ofTwoWhoWriteADayAtOnceTheFirstToCompleteItCounts() {
    given.ran("1");
    nextDay();
    Manifest other = given.archive.write(given.partition, first);
    byte[] there = given.objects.all().remove(ArchiveNames.manifest(given.partition, first));
    // Something has become visible since, so that ours would be another.
    Plan late = given.loop.propose(given.loop.refund("2", 5));
    Item receipt = lateReceipt(first, late);
    given.objects.all().put(ArchiveNames.manifest(given.partition, first), there);
    assertThat(given.archive.write(given.partition, first)).isEqualTo(other);
    assertThat(given.archived(first)).doesNotContainKey(receipt.key());
  }

  @Test
  void aPlanThatEndsWeeksLaterIsUnderItsOwnDay() {
    Plan plan = given.loop.propose(operatorOfWeeks(), given.loop.refund("1", 500));
    nextDay();
    given.upToYesterday(first);
    assertThat(given.archived.rows(given.partition, RowKind.PLAN, first)).isEmpty();
    given.days(20);
    Outcomes.done(given.loop.approve(plan));
    nextDay();
    given.upToYesterday(first);
    Plan ended = given.loop.again(plan);
    assertThat(given.archived.rows(given.partition, RowKind.PLAN, first))
        .containsEntry(given.row(ended).key(), given.row(ended));
    Action action = given.loop.action(plan, 0);
    assertThat(given.archived.rows(given.partition, RowKind.ACTION, first))
        .containsEntry(given.row(action).key(), given.row(action));
  }

  private Operator operatorOfWeeks() {
    return given.loop.operator("slow-desk", ",'plan_ttl_seconds':2592000");
  }

  @Test
  void whatHasNotQuiteEndedIsNamedAndWrittenForALaterDay() {
    Plan unknown = given.unknown("1");
    Action action = given.loop.action(unknown, 0);
    nextDay();
    Manifest manifest = given.archive.write(given.partition, first);
    assertThat(manifest.openActions()).containsExactly(action.id());
    nextDay();
    given.upToYesterday(first);
    given.resolve(action);
    nextDay();
    given.upToYesterday(first);
    assertThat(given.archived.rows(given.partition, RowKind.ACTION, first))
        .containsEntry(given.row(action).key(), given.row(action));
    assertThat(given.archived.manifest(given.partition, given.today().minusDays(1)).orElseThrow())
        .satisfies(last -> assertThat(last.openActions()).isEmpty());
  }

  @Test
  void whatIsOpenOrUnknownAndClaimsOfEffectsAreNeverArchived() {
    given.loop.propose(operatorOfWeeks(), given.loop.refund("1", 500));
    Plan unknown = given.unknown("2");
    given.days(3);
    given.upToYesterday(first);
    Map<Key, Item> archived = given.archived(first);
    assertThat(archived.keySet())
        .noneMatch(key -> key.table() == Table.EFFECTS)
        .doesNotContain(given.row(given.loop.action(unknown, 0)).key());
    assertThat(archived.values()).allMatch(GovernedRows::hasEnded);
    assertThat(given.rows(Table.RECEIPTS))
        .filteredOn(row -> row.text("doc").contains("\"outcome\":\"unknown\""))
        .isNotEmpty()
        .allMatch(row -> !archived.containsKey(row.key()));
  }

  @Test
  void anUndoneActionIsWrittenAgainAndTheLastCounts() {
    Plan plan = given.ran("1");
    nextDay();
    given.upToYesterday(first);
    Action action = given.loop.action(plan, 0);
    Item before = given.row(action);
    given.days(5);
    Outcomes.done(given.loop.undo(action));
    nextDay();
    given.upToYesterday(first);
    assertThat(given.row(action)).isNotEqualTo(before);
    assertThat(given.archived.rows(given.partition, RowKind.ACTION, first))
        .containsEntry(before.key(), given.row(action));
    assertThat(given.archived.parts(given.partition, RowKind.ACTION, first)).hasSize(2);
  }

  @Test
  void theRowsOfAnIdentifierAreFoundByItAsTheyWereWrittenLast() {
    Plan plan = given.ran("1");
    Plan other = given.ran("2");
    Action action = given.loop.action(plan, 0);
    nextDay();
    given.upToYesterday(first);
    Item before = given.row(action);
    Outcomes.done(given.loop.undo(action));
    nextDay();
    given.upToYesterday(first);
    assertThat(
            given
                .archived
                .of(given.partition, RowKind.ACTION, List.of(action.id().value()))
                .values())
        .containsExactly(given.row(action))
        .doesNotContain(before);
    Map<Key, Item> ofPlan =
        given.archived.of(given.partition, RowKind.PLAN, List.of(plan.id().value()));
    assertThat(ofPlan)
        .containsEntry(given.row(plan).key(), given.row(plan))
        .hasSizeGreaterThan(1)
        .doesNotContainKey(given.row(other).key());
    assertThat(given.archived.of(given.partition, RowKind.PLAN, List.of("pl_none", "act_1")))
        .isEmpty();
  }

  @Test
  void aReceiptThatWasWrittenAfterItsDayIsFoundTheDayAfterAndAWeekLater() {
    Plan plan = given.ran("1");
    nextDay();
    given.upToYesterday(first);
    Item dayAfter = lateReceipt(first, plan);
    nextDay();
    given.upToYesterday(first);
    assertThat(given.archived(first)).containsEntry(dayAfter.key(), dayAfter);
    Item weekAfter = lateReceipt(first, plan);
    given.days(6);
    given.upToYesterday(first);
    assertThat(given.archived(first)).containsEntry(weekAfter.key(), weekAfter);
  }

  /** A receipt whose identifier is from a day before, as a crash between the two leaves it. */
  private Item lateReceipt(LocalDate day, Plan plan) {
    Item some =
        given.rows(Table.RECEIPTS).stream()
            .filter(row -> row.key().partition().contains("#receipt#"))
            .findFirst()
            .orElseThrow();
    String ulid =
        Ids.derived(
            day.atStartOfDay().toInstant(ZoneOffset.UTC).plus(Duration.ofHours(23)),
            given.loop.connectors.ids.next());
    ReceiptId id = ReceiptId.of(ulid, plan.id());
    Item.Builder copy = Item.at(new Key(Table.RECEIPTS, some.key().partition(), id.value()));
    copy.with("kind", "receipt").with("id", id.value());
    copy.with("partition", given.partition.key()).packed("doc", some.text("doc"));
    copy.with("archive_expires", some.number("archive_expires"));
    Item late = copy.build();
    given.store.write(Write.put(late, Condition.always()));
    return late;
  }

  @Test
  void theIndexOfADayHoldsWhatItsRowsAreListedBy() {
    Plan plan = given.ran("1");
    nextDay();
    Manifest manifest = given.archive.write(given.partition, first);
    byte[] index = given.objects.get(Objects.requireNonNull(manifest.index())).orElseThrow();
    String operator = plan.terms().operatorId().value();
    for (RowKind kind : new RowKind[] {RowKind.RECEIPT, RowKind.PLAN, RowKind.ACTION}) {
      assertThat(FilterIndex.mayHold(index, kind, first, "operator_id", operator)).isTrue();
      assertThat(FilterIndex.mayHold(index, kind, first, "operator_id", "op_none")).isFalse();
      assertThat(FilterIndex.mayHold(index, kind, first.plusDays(1), "operator_id", operator))
          .isFalse();
    }
    String entity = given.loop.action(plan, 0).terms().entityKey().value();
    assertThat(FilterIndex.mayHold(index, RowKind.PLAN, first, "entity_key", entity)).isTrue();
    assertThat(FilterIndex.mayHold(index, RowKind.PLAN, first, "status", "executed")).isTrue();
    assertThat(index.length % 8).isZero();
  }

  @Test
  void namesBeginWithTheTenantAndModeThatTheRowsAreOf() {
    given.ran("1");
    nextDay();
    given.archive.write(given.partition, first);
    String tenant = "v1/" + given.partition.tenant() + "/" + given.partition.mode().wire() + "/";
    assertThat(given.objects.all().keySet()).allMatch(name -> name.startsWith(tenant));
  }
}
