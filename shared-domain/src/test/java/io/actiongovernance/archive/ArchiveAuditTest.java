package io.actiongovernance.archive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.archive.AuditDay.Difference;
import io.actiongovernance.archive.AuditDay.Kind;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the comparison of table and archive finds, and what the runs over all tenants do. */
final class ArchiveAuditTest {
  private final ArchiveFixture given = new ArchiveFixture();
  private final LocalDate first = given.today();

  private final Logger log = (Logger) LoggerFactory.getLogger(AuditDay.class.getPackageName());

  /** What goes wrong here is meant to. */
  @BeforeEach
  void quiet() {
    log.setLevel(Level.OFF);
  }

  @AfterEach
  void loud() {
    log.setLevel(null);
  }

  private static Difference of(Kind kind, Key key) {
    return new Difference(kind, key.table().word() + " " + key.partition() + " " + key.range());
  }

  /** Some days that ended, one of everything; ten days later. */
  private Plan past() {
    Plan plan = given.ran("1");
    given.unknown("2");
    Plan vetoed = given.held("3");
    Outcomes.done(
        given.loop.loop.vetoPlan().veto(given.loop.caller, vetoed.id(), "key", "No.", null));
    given.days(10);
    given.upToYesterday(first);
    return plan;
  }

  private Item receipt() {
    return given.rows(Table.RECEIPTS).stream()
        .filter(GovernedRows::hasEnded)
        .filter(row -> row.key().partition().contains("#receipt#"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void tableAndArchiveAgree() {
    past();
    AuditDay.Audited audited = given.audit(first);
    assertThat(audited.differences()).isEmpty();
    assertThat(audited.inTable()).isEqualTo(audited.inArchive()).isEqualTo(given.ended().size());
  }

  @Test
  void whatWasTouchedSinceTheLastCompleteDayIsNoDifference() {
    Plan plan = past();
    Outcomes.done(given.loop.undo(given.loop.action(plan, 0)));
    assertThat(given.audit(first).differences()).isEmpty();
  }

  @Test
  void whatExpiredBeforeMidnightAndIsRecordedAfterItIsNoDifference() {
    Operator slow = given.loop.operator("slow", ",'plan_ttl_seconds':864000");
    Instant midnight = first.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    given.loop.time.pass(Duration.between(given.loop.time.instant(), midnight.minusSeconds(10)));
    given.loop.propose(slow, given.loop.refund("1", 500));
    given.loop.time.pass(Duration.ofDays(10).plusSeconds(20));
    given.loop.sweep();
    given.loop.deliver();
    given.upToYesterday(first);
    assertThat(given.audit(first).differences()).isEmpty();
    given.days(1);
    given.upToYesterday(first);
    assertThat(given.audit(first)).matches(AuditDay.Audited::agrees).matches(a -> a.inTable() > 2);
  }

  @Test
  void whatIsAskedToBeUndoneIsNoDifferenceWhileThatIsOpen() {
    Plan plan = past();
    Action action = given.loop.action(plan, 0);
    given.store.write(
        Actions.askUndo(
            action,
            PlanId.next(given.loop.connectors.ids),
            given.loop.time.instant().plus(Duration.ofHours(1))));
    assertThat(given.audit(first).differences()).isEmpty();
  }

  @Test
  void aRowThatIsNotInTheArchiveIsFound() {
    past();
    Item receipt = receipt();
    Key key = new Key(Table.RECEIPTS, receipt.key().partition(), receipt.key().range() + "x");
    Item.Builder copy = Item.at(key).packed("doc", receipt.text("doc"));
    copy.with("archive_expires", receipt.number("archive_expires"));
    given.store.write(Write.insert(copy.build()));
    assertThat(given.audit(first).differences()).containsExactly(of(Kind.MISSING, key));
  }

  @Test
  void aRowThatIsGoneFromItsTableBeforeItsTimeIsFound() {
    Plan plan = past();
    Key receipt = receipt().key();
    Key action = given.row(given.loop.action(plan, 0)).key();
    given.store.write(Write.delete(receipt, Condition.always()));
    given.store.write(Write.delete(action, Condition.always()));
    assertThat(given.audit(first).differences())
        .containsExactlyInAnyOrder(of(Kind.EXTRA, receipt), of(Kind.EXTRA, action));
    given.days(111);
    given.upToYesterday(first);
    assertThat(given.audit(first).differences()).isEmpty();
  }

  @Test
  void aRowThatWasChangedIsFound() {
    past();
    Key key = receipt().key();
    given.store.write(
        Write.update(key, Condition.present(), Change.pack("doc", "{\"outcome\":\"applied\"}")));
    assertThat(given.audit(first).differences()).containsExactly(of(Kind.CHANGED, key));
  }

  @Test
  void anObjectThatIsGoneOrIsAnotherIsFound() {
    past();
    Manifest manifest = given.archived.manifest(given.partition, first).orElseThrow();
    String gone = manifest.parts().getFirst().name();
    String other = manifest.parts().getLast().name();
    given.objects.all().remove(gone);
    given.objects.all().put(other, Zstd.compressed(new byte[] {'\n'}));
    assertThat(given.audit(first).differences())
        .contains(new Difference(Kind.DAMAGED, gone), new Difference(Kind.DAMAGED, other));
  }

  /** It is read nevertheless, so that nobody else would tell before its lock has ended. */
  @Test
  void anObjectThatIsHiddenIsFound() {
    past();
    Manifest manifest = given.archived.manifest(given.partition, first).orElseThrow();
    List<String> names =
        List.of(
            ArchiveNames.manifest(given.partition, first),
            Objects.requireNonNull(manifest.index()),
            manifest.parts().getFirst().name());
    names.forEach(given.objects::hide);
    assertThat(given.audit(first).differences())
        .containsExactlyInAnyOrderElementsOf(
            names.stream().map(name -> new Difference(Kind.HIDDEN, name)).toList());
  }

  private RunArchive.Ran archive() {
    return given.runArchive().run(Instant.MAX);
  }

  private RunAudit.Ran compare() {
    return given.runAudit().run(Instant.MAX);
  }

  /** Of a mode that has nothing on its days, they are brought in by the same run. */
  @Test
  void aDayThatIsTooLargeForARunIsGivenUpAloneAndNothingOfItCounts() {
    given.ran("1");
    given.days(4);
    Instant now = given.loop.time.instant();
    RunArchive.Ran late = given.runArchive().run(Instant.MAX, now);
    assertThat(late.failed()).isEqualTo(1);
    assertThat(late.behind()).isPositive();
    assertThat(late.days()).isPositive();
    assertThat(given.archived.manifest(given.partition, first)).isEmpty();
    assertThat(archive().failed()).isZero();
    given.days(6);
    assertThat(archive().failed()).isZero();
    RunAudit.Ran unfinished = given.runAudit().run(Instant.MAX, given.loop.time.instant(), null);
    assertThat(unfinished.failed()).isPositive();
    RunAudit.Ran compared = compare();
    assertThat(compared.days()).isPositive();
    assertThat(compared.failed() + compared.differences()).isZero();
  }

  /** From the day on which the tenant was made, which is the first of the fixture's. */
  @Test
  void allDaysThatAreOverAreBroughtInOnceAndAgree() {
    given.ran("1");
    given.days(4);
    long days = 2 * ChronoUnit.DAYS.between(born(), given.today());
    RunArchive.Ran ran = archive();
    assertThat(ran.days()).isEqualTo(days);
    assertThat(ran.rows()).isEqualTo(given.ended().size());
    assertThat(ran.behind() + ran.failed()).isZero();
    assertThat(archive().days()).isZero();
    given.days(6);
    assertThat(archive().days()).isEqualTo(2 * 6);
    RunAudit.Ran compared = compare();
    assertThat(compared.days()).isPositive();
    assertThat(compared.rows()).isPositive();
    assertThat(compared.differences() + compared.failed()).isZero();
    assertThat(compare().days()).isZero();
  }

  private LocalDate born() {
    return LocalDate.ofInstant(given.partition.tenant().madeAt(), ZoneOffset.UTC);
  }

  @Test
  void aDayIsNotOverBeforeThreeInTheMorning() {
    given.ran("1");
    given.days(1);
    archive();
    given.loop.time.pass(
        Duration.between(
            given.loop.time.instant(),
            given.today().plusDays(1).atTime(2, 59).toInstant(ZoneOffset.UTC)));
    assertThat(archive().days()).isZero();
    given.loop.time.pass(Duration.ofMinutes(2));
    assertThat(archive().days()).isEqualTo(2);
  }

  @Test
  void whatThereWasNoTimeForIsToldAndDoneByTheNextRun() {
    given.days(3);
    RunArchive.Ran none = given.runArchive().run(given.loop.time.instant());
    assertThat(none.days()).isZero();
    assertThat(none.behind()).isPositive();
    assertThat(archive().behind()).isZero();
  }

  @Test
  void aRunThatFailsSaysSoAndTheNextGoesOnWhereItStopped() {
    given.ran("1");
    given.days(3);
    given.objects.dieAt(1, true);
    assertThat(archive().failed()).isPositive();
    given.objects.dieAt(Integer.MAX_VALUE, false);
    assertThat(archive().failed()).isZero();
    assertThat(given.archived(first)).isEqualTo(given.ended());
  }

  @Test
  void aDayThatDoesNotAgreeIsToldOfAgainUntilItDoes() {
    given.ran("1");
    given.days(10);
    archive();
    Item receipt = receipt();
    given.store.write(Write.delete(receipt.key(), Condition.always()));
    assertThat(compare().differences()).isEqualTo(1);
    assertThat(compare().differences()).isEqualTo(1);
    given.store.write(Write.insert(receipt));
    assertThat(compare().differences()).isZero();
    assertThat(List.copyOf(given.objects.all().keySet()))
        .contains(ArchiveNames.agreed(given.partition, first, AuditAge.FIRST));
  }

  /** As of an archive that began when they were older than what is compared by itself. */
  @Test
  void daysThatNobodyComparedAreComparedOnceSomebodySaysSinceWhen() {
    given.ran("1");
    given.days(200);
    archive();
    compare();
    String agreed = ArchiveNames.agreed(given.partition, first, AuditAge.LAST);
    assertThat(given.objects.get(agreed)).isEmpty();
    RunAudit.Ran ran = given.runAudit().run(Instant.MAX, Instant.MAX, first);
    assertThat(ran.days()).isEqualTo(2 * (200 - 95 - 14));
    assertThat(ran.differences() + ran.failed()).isZero();
    assertThat(given.objects.get(agreed)).isPresent();
    assertThat(given.runAudit().run(Instant.MAX, Instant.MAX, first).days()).isZero();
  }

  @Test
  void rowsThatHaveLeftTheirTablesAreNoDifferenceHoweverLateTheyAreCompared() {
    past();
    given.yearsLater(first);
    AuditDay.Audited audited = given.audit(first);
    assertThat(audited.differences()).isEmpty();
    assertThat(audited.inArchive()).isPositive();
    assertThat(given.runAudit().run(Instant.MAX, Instant.MAX, first).differences()).isZero();
  }
}
