package io.actiongovernance.kernel;

import static io.actiongovernance.outcome.Outcomes.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.access.WaitSlots.Pool;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Waiting for a plan or an action, and the slots it takes (contract for agents, section 2). */
final class AwaitPlanTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  /** Counts reads, and notes the writes of slots. */
  private static final class Noting extends BendingStore {
    private final List<Write> ofSlots = new ArrayList<>();
    private int reads;

    private Noting() {
      super(new InMemoryStore());
    }

    @Override
    public Optional<Item> get(Key key) {
      reads++;
      return inner.get(key);
    }

    @Override
    public Written write(Write write) {
      if (write.key().table() == Table.LIMITS && write.key().partition().contains("waits")) {
        ofSlots.add(write);
      }
      return inner.write(write);
    }
  }

  private final Noting store = new Noting();
  private final LoopFixture fixture = new LoopFixture(store);
  private final WaitSlots slots = new WaitSlots(store, fixture.time, new Random(7));
  private final TenantId tenant = fixture.caller.partition().tenant();

  private Plan held() {
    return fixture.propose(fixture.refund(fixture.connectors.ids.next(), 500));
  }

  private Outcome<RetrievePlan.Read> read(Caller caller, PlanId plan, Duration patience) {
    return fixture.loop.reading().retrieveOnceDisposed().plan(caller, plan, patience);
  }

  private Plan read(Plan plan, Duration patience) {
    return done(read(fixture.caller, plan.id(), patience)).plan();
  }

  private void takeAll(Pool pool) {
    Instant until = fixture.time.instant().plus(Duration.ofHours(1));
    for (int at = 0; at < pool.quota(); at++) {
      assertThat(slots.take(pool, "w" + at, until)).isPresent();
    }
    store.ofSlots.clear();
  }

  private Duration taking(Runnable work) {
    Instant before = fixture.time.instant();
    work.run();
    return Duration.between(before, fixture.time.instant());
  }

  @Test
  void aPlanIsAnsweredOnceItIsDisposed() {
    Plan plan = fixture.propose(fixture.refund("1", 10));
    Duration took = taking(() -> assertThat(read(plan, LONG).disposedAt()).isNotNull());
    assertThat(took).isLessThan(SlottedWait.MOMENT);
    assertThat(store.ofSlots).isEmpty();
  }

  @Test
  void aDisposedPlanIsAnsweredWithoutWaiting() {
    Plan plan = fixture.propose(fixture.refund("1", 10));
    fixture.deliver();
    assertThat(taking(() -> read(plan, LONG))).isZero();
  }

  @Test
  void anOpenPlanIsAnsweredAsItIsWhenTheWaitEnds() {
    Plan plan = held();
    Duration took = taking(() -> assertThat(read(plan, LONG).disposedAt()).isNull());
    assertThat(took).isBetween(LONG.minusSeconds(2), LONG);
  }

  @Test
  void aPlanThatExpiresDuringTheWaitIsAnsweredAsExpired() {
    Plan plan = held();
    fixture.time.sleep(Duration.between(fixture.time.instant(), plan.expiresAt()).minusSeconds(5));
    Plan[] seen = new Plan[1];
    assertThat(taking(() -> seen[0] = read(plan, LONG))).isLessThan(Duration.ofSeconds(8));
    assertThat(seen[0].status(fixture.time.instant())).isEqualTo(PlanStatus.EXPIRED);
  }

  @Test
  void aOneSecondWaitTakesNoSlotAndALongerOneReturnsItsThree() {
    read(held(), Duration.ofSeconds(1));
    assertThat(store.ofSlots).isEmpty();
    read(held(), LONG);
    assertThat(store.ofSlots).hasSize(6);
    assertThat(store.ofSlots.subList(3, 6)).allMatch(write -> write instanceof Write.Delete);
  }

  @Test
  void theEleventhWaitOfAKeyIsAnsweredAtOnce() {
    Plan plan = held();
    takeAll(Pool.ofCaller(tenant, fixture.caller.principal()));
    assertThat(taking(() -> read(plan, LONG))).isLessThan(Duration.ofSeconds(2));
    Caller other =
        new Caller(
            fixture.caller.requestId(),
            fixture.caller.partition(),
            null,
            KeyId.next(fixture.connectors.ids),
            "another",
            fixture.caller.scopes(),
            null);
    assertThat(taking(() -> read(other, plan.id(), LONG))).isGreaterThan(Duration.ofSeconds(15));
  }

  @Test
  void aWaitBeyondTheTenantsSlotsReturnsItsKeysSlot() {
    Plan plan = held();
    takeAll(Pool.ofReaders(tenant, LoopFixture.WAIT_SLOTS));
    assertThat(taking(() -> read(plan, LONG))).isLessThan(Duration.ofSeconds(2));
    takeAll(Pool.ofCaller(tenant, fixture.caller.principal()));
  }

  /** So that it has room for those that do not wait, however many tenants do. */
  @Test
  void aWaitBeyondTheFunctionsSlotsIsAnsweredAtOnce() {
    Plan plan = held();
    takeAll(LoopFixture.WAITS_OF_FUNCTION);
    assertThat(taking(() -> read(plan, LONG))).isLessThan(Duration.ofSeconds(2));
    takeAll(Pool.ofCaller(tenant, fixture.caller.principal()));
    takeAll(Pool.ofReaders(tenant, LoopFixture.WAIT_SLOTS));
  }

  /** Nobody who reads takes what approving needs. */
  @Test
  void waitingReadersLeaveTheSlotsOfDecisionsFree() {
    takeAll(Pool.ofReaders(tenant, LoopFixture.WAIT_SLOTS));
    takeAll(Pool.ofDecisions(tenant));
  }

  @Test
  void aWaitPollsLessAndLessOften() {
    Plan plan = held();
    store.reads = 0;
    read(plan, Duration.ofSeconds(25));
    assertThat(store.reads).isLessThan(100);
  }

  @Test
  void aPlanTheCallerCannotSeeIsRefusedAtOnce() {
    PlanId none = PlanId.next(fixture.connectors.ids);
    assertThat(
            taking(
                () ->
                    assertThat(read(fixture.caller, none, LONG))
                        .isEqualTo(Outcome.refused(new Refusal.NotFound("plan")))))
        .isZero();
  }

  @Test
  void anActionIsAnsweredOnceItIsDisposedOrItsPlanIs() {
    Plan runs = fixture.propose(fixture.refund("1", 10));
    assertThat(
            done(fixture
                    .loop
                    .reading()
                    .retrieveOnceDisposed()
                    .action(fixture.caller, fixture.action(runs, 0).id(), LONG))
                .action()
                .disposal())
        .isNotNull();
    Plan vetoed = held();
    fixture.loop.executing().vetoPlan().veto(fixture.caller, vetoed.id(), "key", "No.", null);
    assertThat(
            taking(
                () ->
                    fixture
                        .loop
                        .reading()
                        .retrieveOnceDisposed()
                        .action(fixture.caller, fixture.action(vetoed, 0).id(), LONG)))
        .isZero();
  }

  /** The wait for a lock is one of these; the plan goes on all the same. */
  @Test
  void aWaitingProposalTakesASlotToo() {
    fixture.messagesTakeTheirTime = true;
    takeAll(Pool.ofCaller(tenant, fixture.agent.principal()));
    Plan plan = fixture.propose(fixture.refund("1", 10));
    assertThat(taking(() -> fixture.loop.reading().awaitPlan().atRest(fixture.agent, plan, LONG)))
        .isLessThan(Duration.ofSeconds(2));
    fixture.deliver();
    assertThat(fixture.again(plan).disposedAt()).isNotNull();
  }

  /** It goes through a queue: to look sooner would only cost. */
  @Test
  void theFirstPollOfACallWaitsUntilAResultIsPossible() {
    Plan plan = fixture.propose(fixture.refund("1", 10));
    Plans.WithActions[] rested = new Plans.WithActions[1];
    Duration took =
        taking(
            () ->
                rested[0] =
                    fixture
                        .loop
                        .reading()
                        .awaitPlan()
                        .atRestWithActions(fixture.agent, plan, LONG));
    assertThat(took).isEqualTo(AwaitPlan.UNDER_WAY);
    assertThat(rested[0].actions()).hasSize(1).allMatch(action -> action.disposal() != null);
  }

  @Test
  void aCallThatAPersonHasToApproveIsAnsweredAtOnce() {
    Plan plan = held();
    assertThat(
            taking(
                () ->
                    fixture
                        .loop
                        .reading()
                        .awaitPlan()
                        .atRestWithActions(fixture.agent, plan, LONG)))
        .isZero();
  }
}
