package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lock that somebody waits for is handed over by the disposal that ends its use. */
class TransferLockTest {
  private final Watched store = new Watched();
  private final LoopFixture fixture = new LoopFixture(store);
  private final List<Plan> plans = new ArrayList<>();

  /** Knows the transactions that dispose of an action and claim a plan; each may be disturbed. */
  private static final class Watched extends BendingStore {
    private Runnable before = () -> {};
    private Runnable after = () -> {};
    private int handedOver;
    private int claimedAlone;

    private Watched() {
      super(new InMemoryStore());
    }

    @Override
    public Transacted transact(List<Write> writes) {
      boolean disposes = writes.stream().anyMatch(write -> sets(write, "disposal"));
      boolean claims = writes.stream().anyMatch(write -> sets(write, "claim"));
      if (disposes && claims) {
        before.run();
      }
      Transacted result = inner.transact(writes);
      if (result.done() && claims) {
        handedOver += disposes ? 1 : 0;
        claimedAlone += disposes ? 0 : 1;
        if (disposes) {
          after.run();
        }
      }
      return result;
    }

    private static boolean sets(Write write, String name) {
      return write instanceof Write.Update update
          && update.changes().stream()
              .anyMatch(change -> change instanceof Change.Assign && change.name().equals(name));
    }
  }

  /** The first runs, and so many plans come to wait for its lock while it does. */
  private void run(int waiting) {
    run(waiting, () -> {});
  }

  private void run(int waiting, Runnable meanwhile) {
    fixture.source =
        call -> {
          meanwhile.run();
          while (plans.size() <= waiting) {
            fixture.time.pass(Duration.ofMillis(1));
            plans.add(fixture.propose(fixture.refund("1", plans.size())));
          }
          return new CallResult.Applied(Json.object().put("id", "r1"), "r1");
        };
    plans.add(fixture.propose(fixture.refund("1", 50)));
    fixture.deliver();
    assertThat(plans.subList(1, plans.size())).allMatch(plan -> plan.waitingOn() == WaitingOn.LOCK);
  }

  private void veto(Plan plan) {
    fixture.loop.executing().vetoPlan().veto(fixture.caller, plan.id(), "v", "not now", null);
  }

  private List<Plan.State> states() {
    return plans.stream().map(plan -> fixture.again(plan).state()).toList();
  }

  @Test
  void theDisposalClaimsTheNextPlanInLine() {
    run(3);
    assertThat(states()).containsOnly(Plan.State.EXECUTED);
    // Nobody waited yet when the first was loaded, so that its lock was given back.
    assertThat(store.claimedAlone).isEqualTo(1);
    assertThat(store.handedOver).isEqualTo(2);
    assertThat(fixture.calls)
        .extracting(call -> call.args().path("amount").asInt())
        .containsExactly(50, 1, 2, 3);
  }

  @Test
  void aPlanVetoedDuringTheDisposalIsSkippedForTheNext() {
    store.before =
        () -> {
          store.before = () -> {};
          veto(plans.get(2));
        };
    run(3);
    assertThat(states())
        .containsExactly(
            Plan.State.EXECUTED, Plan.State.EXECUTED, Plan.State.VETOED, Plan.State.EXECUTED);
  }

  /** Who is next is looked at while the one before is called. */
  @Test
  void aPlanVetoedDuringTheCallIsSkippedForTheNext() {
    run(
        3,
        () -> {
          if (fixture.calls.size() == 2) {
            veto(plans.get(2));
          }
        });
    assertThat(states())
        .containsExactly(
            Plan.State.EXECUTED, Plan.State.EXECUTED, Plan.State.VETOED, Plan.State.EXECUTED);
    assertThat(fixture.calls).hasSize(3);
  }

  @Test
  void aFailedHandoverDoesNotStopTheDisposal() {
    store.before =
        () -> {
          throw new StoreUnavailable("Throttled, on purpose.", null);
        };
    run(3);
    assertThat(states()).containsOnly(Plan.State.EXECUTED);
    assertThat(store.handedOver).isZero();
  }

  @Test
  void aHandoverWithALostReplyRunsOnce() {
    store.after =
        () -> {
          store.after = () -> {};
          throw new StoreUnavailable("The reply was lost, on purpose.", null);
        };
    run(3);
    assertThat(states()).containsOnly(Plan.State.EXECUTED);
    assertThat(fixture.calls).hasSize(4);
    assertThat(fixture.receipts()).hasSize(4);
  }
}
