package io.actiongovernance.kernel;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.access.WaitSlots.Slot;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Approvals and undos that wait (contract, section 4). */
final class WaitingDecisionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  /** Notes what is written of slots, and is away for it when it is told to. */
  private static final class Noting extends BendingStore {
    private final List<Write> ofSlots = new ArrayList<>();
    private boolean refusesDeletes;

    private Noting() {
      super(new InMemoryStore());
    }

    @Override
    public Written write(Write write) {
      if (write.key().partition().endsWith("#waits")) {
        ofSlots.add(write);
        if (refusesDeletes && write instanceof Write.Delete) {
          throw new StoreUnavailable("Away, on purpose.", new IllegalStateException());
        }
      }
      return inner.write(write);
    }
  }

  private final Noting store = new Noting();
  private final LoopFixture fixture = new LoopFixture(store);
  private final WaitSlots slots = new WaitSlots(store, fixture.time, new Random(7));

  private Plan held() {
    return fixture.propose(fixture.refund(fixture.connectors.ids.next(), 500));
  }

  private Outcome<RunApproved.Approved> approve(Plan plan, String key) {
    return fixture
        .loop
        .executing()
        .approvePlan()
        .approve(
            fixture.caller,
            new ApprovePlan.Request(plan.id(), key, null, "dana", null, null, PATIENCE, null))
        .map(LoopFixture::executed);
  }

  private Outcome<UndoAction.Answer> undo(Action action, ActionId undo) {
    return fixture
        .loop
        .executing()
        .undoAction()
        .undo(fixture.caller, new UndoAction.Request(action.id(), undo, "dana", null, PATIENCE));
  }

  private final WaitSlots.Pool decisions =
      WaitSlots.Pool.ofDecisions(fixture.caller.partition().tenant());

  private List<Slot> takeAll() {
    Instant until = fixture.time.instant().plus(Duration.ofHours(1));
    List<Slot> taken = new ArrayList<>();
    for (int at = 0; at < WaitSlots.QUOTA; at++) {
      taken.add(slots.take(decisions, "w" + at, until).orElseThrow());
    }
    store.ofSlots.clear();
    return taken;
  }

  private Duration taking(Runnable work) {
    Instant before = fixture.time.instant();
    work.run();
    return Duration.between(before, fixture.time.instant());
  }

  @Test
  void aDecisionAnsweredQuicklyTakesNoSlot() {
    takeAll();
    Plan plan = held();
    assertThat(approve(plan, "key")).isInstanceOf(Done.class);
    assertThat(undo(fixture.action(plan, 0), ActionId.next(fixture.connectors.ids)))
        .isInstanceOf(Done.class);
    assertThat(store.ofSlots).isEmpty();
  }

  @Test
  void aLongDecisionTakesASlotAndReturnsIt() {
    fixture.messagesTakeTheirTime = true;
    assertThat(refusal(approve(held(), "key"))).isInstanceOf(Refusal.Unfinished.class);
    assertThat(store.ofSlots).hasSize(2);
    assertThat(takeAll()).hasSize(WaitSlots.QUOTA);
  }

  @Test
  void anApprovalBeyondFiftyWaitsReturnsAtOnceAndItsPlanRuns() {
    fixture.messagesTakeTheirTime = true;
    List<Slot> taken = takeAll();
    Plan plan = held();
    Duration took =
        taking(
            () -> assertThat(refusal(approve(plan, "key"))).isInstanceOf(Refusal.Unfinished.class));
    assertThat(took).isLessThan(Duration.ofSeconds(2));
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTING);
    // Sent again, it has had its moment.
    Duration again =
        taking(
            () -> assertThat(refusal(approve(plan, "key"))).isInstanceOf(Refusal.Unfinished.class));
    assertThat(again).isZero();
    slots.release(taken.getFirst());
    fixture.messagesTakeTheirTime = false;
    assertThat(done(approve(plan, "key")).plan().state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(fixture.calls).hasSize(1);
  }

  @Test
  void anUndoBeyondFiftyWaitsReturnsAtOnceAndRuns() {
    Plan plan = held();
    done(approve(plan, "key"));
    fixture.messagesTakeTheirTime = true;
    takeAll();
    ActionId undo = ActionId.next(fixture.connectors.ids);
    Duration took =
        taking(
            () ->
                assertThat(refusal(undo(fixture.action(plan, 0), undo)))
                    .isInstanceOf(Refusal.Unfinished.class));
    assertThat(took).isLessThan(Duration.ofSeconds(2));
    fixture.deliver();
    assertThat(undo(fixture.action(plan, 0), undo)).isInstanceOf(Done.class);
  }

  @Test
  void aSlotThatCannotBeReturnedLapsesAndChangesNoAnswer() {
    fixture.messagesTakeTheirTime = true;
    store.refusesDeletes = true;
    Plan plan = held();
    assertThat(refusal(approve(plan, "key"))).isInstanceOf(Refusal.Unfinished.class);
    fixture.time.sleep(Duration.ofSeconds(3));
    assertThat(takeAll()).hasSize(WaitSlots.QUOTA);
  }
}
