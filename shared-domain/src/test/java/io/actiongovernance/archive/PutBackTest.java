package io.actiongovernance.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.halt.Target;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What has left its table is put back before it is undone or resolved. */
final class PutBackTest {
  /** Lets something happen before or after a row is put back. */
  private static final class Watched extends BendingStore {
    private int puts;
    private int at = Integer.MAX_VALUE;
    private boolean after;
    private Runnable happens = () -> {};

    private Watched(InMemoryStore store) {
      super(store);
    }

    private void at(int put, boolean afterIt, Runnable what) {
      puts = 0;
      at = put;
      after = afterIt;
      happens = what;
    }

    @Override
    public Written write(Write write) {
      if (!(write instanceof Write.Put put) || !GovernedRows.hasEnded(put.item())) {
        return inner.write(write);
      }
      boolean now = puts++ == at;
      Runnable what = happens;
      if (now && !after) {
        what.run();
      }
      Written written = inner.write(write);
      if (now && after) {
        what.run();
      }
      return written;
    }
  }

  private @Nullable Watched store;
  private final ArchiveFixture given =
      new ArchiveFixture(
          inner -> {
            store = new Watched(inner);
            return store;
          });
  private final LocalDate first = given.today();

  private Watched store() {
    return Objects.requireNonNull(store);
  }

  /** Two refunds of one plan, that were approved and ran, of which nothing is in a table. */
  private Plan left() {
    Plan plan = given.loop.propose(given.loop.refund("1", 500), given.loop.refund("2", 500));
    Outcomes.done(given.loop.approve(plan));
    Plan ran = given.loop.again(plan);
    given.yearsLater(first);
    assertThat(given.store.get(Plans.key(given.partition, plan.id()))).isEmpty();
    assertThat(given.rows(Table.RECEIPTS)).isEmpty();
    return ran;
  }

  private ActionId first(Plan plan) {
    return plan.terms().actionIds().getFirst();
  }

  private Outcome<UndoAction.Answer> undo(ActionId id) {
    return given.loop.undo(id, ActionId.next(given.loop.connectors.ids));
  }

  private void isUndoneOnce(Plan plan) {
    assertThat(given.loop.action(plan, 0).undone()).isTrue();
    assertThat(inverses()).isEqualTo(1);
    assertThat(given.loop.outcomes(Receipt.Kind.UNDO)).containsExactly("applied");
  }

  private long inverses() {
    return given.loop.calls.stream()
        .filter(call -> !call.tool().name().equals("sandbox.payment.refund"))
        .count();
  }

  private Map<Key, Item> archived(RowKind kind) {
    return given.archived.rows(given.partition, kind, first);
  }

  private Item staying(Item row) {
    return RowLine.leaving(row, Retention.after(given.loop.time.instant()));
  }

  @Test
  void anActionThatLeftItsTableIsUndoneOnce() {
    Plan plan = left();
    Outcomes.done(undo(first(plan)));
    isUndoneOnce(plan);
    assertThat(Outcomes.refusal(undo(first(plan)))).isInstanceOf(Refusal.NotUndoable.class);
    isUndoneOnce(plan);
  }

  @Test
  void theWholePlanIsBackAsItWasArchivedButForItsTime() {
    Plan plan = left();
    PutBack putBack = given.putBack();
    PutBack.Found found = putBack.find(given.partition, first(plan)).orElseThrow();
    assertThat(given.rows(Table.STATE)).noneMatch(GovernedRows::hasEnded);
    assertThat(putBack.keep(found)).isTrue();
    Map<Key, Item> expected = new HashMap<>();
    archived(RowKind.ACTION).forEach((key, row) -> expected.put(key, staying(row)));
    Key key = Plans.key(given.partition, plan.id());
    expected.put(key, staying(Objects.requireNonNull(archived(RowKind.PLAN).get(key))));
    assertThat(given.rows(Table.STATE))
        .filteredOn(GovernedRows::hasEnded)
        .containsExactlyInAnyOrderElementsOf(expected.values());
    // Somebody who looked before has to look again, and finds all of it.
    assertThat(putBack.keep(found)).isFalse();
    assertThat(putBack.find(given.partition, first(plan)).orElseThrow().keeping()).isEmpty();
  }

  @Test
  void ofTwoWhoAskAtOnceOneUndoes() {
    for (int put = 0; put < 3; put++) {
      PutBackTest at = new PutBackTest();
      Plan plan = at.left();
      at.store().at(put, false, () -> Outcomes.done(at.undo(at.first(plan))));
      assertThat(Outcomes.refusal(at.undo(at.first(plan)))).isInstanceOf(Refusal.NotUndoable.class);
      at.isUndoneOnce(plan);
    }
  }

  @Test
  void whereverTheProcessDiesItIsUndoneOnceByWhoAsksAgain() {
    for (int put = 0; put < 3; put++) {
      for (boolean after : new boolean[] {false, true}) {
        PutBackTest at = new PutBackTest();
        Plan plan = at.left();
        ActionId undo = ActionId.next(at.given.loop.connectors.ids);
        at.store()
            .at(
                put,
                after,
                () -> {
                  throw new InMemoryArchiveObjects.Died();
                });
        assertThatExceptionOfType(InMemoryArchiveObjects.Died.class)
            .isThrownBy(() -> at.given.loop.undo(at.first(plan), undo));
        Outcomes.done(at.given.loop.undo(at.first(plan), undo));
        at.isUndoneOnce(plan);
      }
    }
  }

  @Test
  void whatWasPutBackIsArchivedAgainAndAgreesAndLeavesAgain() {
    Plan plan = left();
    Outcomes.done(undo(first(plan)));
    given.days(1);
    given.upToYesterday(first);
    Key key = Actions.key(given.partition, first(plan));
    assertThat(archived(RowKind.ACTION)).containsEntry(key, given.store.get(key).orElseThrow());
    assertThat(given.audit(first).differences()).isEmpty();
    given.yearsLater(first);
    assertThat(given.store.get(key)).isEmpty();
    assertThat(given.audit(first).differences()).isEmpty();
    assertThat(Outcomes.refusal(undo(first(plan))))
        .isInstanceOfSatisfying(
            Refusal.NotUndoable.class,
            refusal -> assertThat(refusal.sentence()).contains("already"));
  }

  /** Somebody asked, and was refused by what came then: nothing of it is ever archived again. */
  @Test
  void whatWasPutBackAndNotChangedIsNoDifference() {
    Plan plan = left();
    PutBack.Found found = given.putBack().find(given.partition, first(plan)).orElseThrow();
    assertThat(given.putBack().keep(found)).isTrue();
    given.days(20);
    given.upToYesterday(first);
    assertThat(given.audit(first).differences()).isEmpty();
  }

  @Test
  void thePlanOfAnUnknownActionIsBackBeforeItIsResolved() {
    Plan plan = given.unknown("1");
    given.yearsLater(first);
    Action action = given.loop.action(plan, 0);
    assertThat(given.store.get(Plans.key(given.partition, plan.id()))).isEmpty();
    given.resolve(action);
    assertThat(given.loop.action(plan, 0).unresolved()).isFalse();
    assertThat(given.loop.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(given.loop.outcomes(Receipt.Kind.RESOLUTION)).containsExactly("applied");
  }

  /** Time to live deletes days after the time that a row says. */
  @Test
  void whatIsStillThereAndMayLeaveAtAnyMomentStays() {
    Plan plan = given.ran("1");
    given.days(121);
    given.upToYesterday(first);
    Outcomes.done(undo(first(plan)));
    assertThat(RowLine.leaves(given.row(plan)))
        .isEqualTo(Retention.after(given.loop.time.instant()));
    given.expire();
    isUndoneOnce(plan);
  }

  @Test
  void whatIsOutOfReachIsNotFoundAndStaysWhereItIs() {
    Plan plan = left();
    Caller other = given.loop.connectors.caller("elsewhere");
    assertThat(Outcomes.refusal(given.loop.askToUndo(other, archivedAction(plan))))
        .isEqualTo(new Refusal.NotFound("action"));
    assertThat(given.store.get(Actions.key(given.partition, first(plan)))).isEmpty();
  }

  private Action archivedAction(Plan plan) {
    return Actions.read(
        Objects.requireNonNull(
            archived(RowKind.ACTION).get(Actions.key(given.partition, first(plan)))));
  }

  @Test
  void whatIsDamagedIsNotTakenForWhatIsNotThere() {
    Plan plan = left();
    List<String> damaged =
        List.of(
            given.archived.parts(given.partition, RowKind.ACTION, first).getFirst().name(),
            ArchiveNames.manifest(given.partition, first));
    Logger log = (Logger) LoggerFactory.getLogger(ArchivedRows.class);
    log.setLevel(Level.OFF); // what goes wrong here is meant to
    try {
      for (String name : damaged) {
        byte[] content = Objects.requireNonNull(given.objects.all().remove(name));
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> undo(first(plan)));
        assertThat(given.rows(Table.STATE)).noneMatch(GovernedRows::hasEnded);
        given.objects.all().put(name, content);
      }
    } finally {
      log.setLevel(null);
    }
    Outcomes.done(undo(first(plan)));
    isUndoneOnce(plan);
  }

  @Test
  void theArchiveIsNotAskedForWhatCannotHaveLeft() {
    PutBack putBack =
        new PutBack(
            given.store,
            new ArchiveObjects() {
              @Override
              public void put(String name, byte[] content) {
                throw new AssertionError(name);
              }

              @Override
              public boolean putFirst(String name, byte[] content) {
                throw new AssertionError(name);
              }

              @Override
              public Optional<byte[]> get(String name) {
                throw new AssertionError(name);
              }

              @Override
              public List<Named> named(String prefix) {
                throw new AssertionError(prefix);
              }
            },
            given.loop.time);
    given.days(200);
    assertThat(putBack.find(given.partition, ActionId.next(given.loop.connectors.ids))).isEmpty();
  }

  @Test
  void whereThereIsNoArchiveWhatIsNotThereIsNotFound() {
    Plan plan = left();
    Store table = given.store;
    assertThat(new PutBack(table, null, given.loop.time).find(given.partition, first(plan)))
        .isEmpty();
  }

  /** A plan that is halted lives longer than what is final before its end. */
  @Test
  void allThatGoesWithAPlanStaysForAsLongAsThatIsOpen() {
    Plan held =
        given.loop.propose(
            given.loop.operator("slow", ",'plan_ttl_seconds':2592000"),
            given.loop.refund("1", 500));
    Plan executing = given.held("2");
    given.loop.messagesTakeTheirTime = true;
    assertThat(Outcomes.refusal(given.loop.approve(executing)))
        .isInstanceOf(Refusal.Unfinished.class);
    HaltId halt = HaltId.next(given.loop.connectors.ids);
    Halts halts = given.loop.loop.halts();
    halts.halt(given.loop.caller, halt, new Target(HaltScope.TENANT, null), "smoke");
    Set<Key> goes = keysThatMayLeave();
    assertThat(goes).hasSize(3); // two entities and an approval
    for (int month = 0; month < 7; month++) {
      given.days(29);
      given.loop.sweep();
      given.loop.deliver();
      given.expire();
      assertThat(keysThatMayLeave()).isEqualTo(goes);
    }
    halts.lift(given.loop.caller, halt, "key", "clear");
    given.loop.messagesTakeTheirTime = false;
    given.loop.sweep();
    given.loop.deliver();
    Outcomes.done(given.loop.approve(held));
    assertThat(given.loop.again(executing).state()).isEqualTo(Plan.State.EXECUTED);
    given.days(1);
    given.upToYesterday(first);
    assertThat(given.archived(first).keySet()).containsAll(goes);
    assertThat(given.audit(first).differences()).isEmpty();
  }

  private Set<Key> keysThatMayLeave() {
    return given.rows(Table.STATE).stream()
        .filter(row -> RowLine.leaves(row) > 0)
        .map(Item::key)
        .collect(Collectors.toSet());
  }
}
