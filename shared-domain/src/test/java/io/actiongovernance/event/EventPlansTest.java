package io.actiongovernance.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What comes of one event for which two propose at once, about the same entity. All is tried: one
 * proposes from beginning to end between any two steps of the other, or in the way of any of its
 * transactions.
 */
class EventPlansTest {
  private static final int UNHELD = 50;
  private static final int HELD = 500;

  @ParameterizedTest
  @ValueSource(ints = {UNHELD, HELD})
  void twoOperatorsMakeTwoPlansAndOneEntityPosition(int amount) {
    for (Desks desks : meetings(amount, desks -> desks.other)) {
      assertPlans(desks, amount, desks.one, desks.other);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {UNHELD, HELD})
  void anOperatorAskedTwiceMakesOnePlan(int amount) {
    for (Desks desks : meetings(amount, desks -> desks.one)) {
      assertPlans(desks, amount, desks.one);
    }
  }

  private static void assertPlans(Desks desks, int amount, Operator... operators) {
    EventPlans plans = desks.plans();
    List<PlanId> each =
        Arrays.stream(operators)
            .map(
                operator ->
                    desks.fixture.loop.reading().plans().newestOf(desks.partition, operator.id()))
            .map(plan -> plan.orElseThrow().id())
            .toList();
    assertThat(plans.ids()).containsExactlyInAnyOrderElementsOf(each);
    for (int at = 0; at < operators.length; at++) {
      assertThat(plans.earlier(operators[at].id().value()))
          .contains(new EventPlans.Earlier(each.get(at)));
    }
    assertThat(desks.fixture.calls).hasSize(amount == HELD ? 0 : operators.length);
    List<Item> log = desks.log();
    assertThat(log).filteredOn(entry -> entry.has("entity")).hasSize(1);
    long head =
        desks
            .fixture
            .store
            .get(LogHead.key(Log.of(desks.partition, Log.Kind.LINKS)))
            .orElseThrow()
            .whole("position", 0);
    assertThat(log).as("no position is open").hasSize((int) head);
  }

  @Test
  void anOperatorAskedTwiceMakesOnePlanOrOneRefusal() {
    for (Desks desks : meetings(0, desks -> desks.one)) {
      List<PlanId> plans = desks.plans().ids();
      assertThat(desks.fixture.outcomes(Receipt.Kind.PROPOSAL)).hasSize(1 - plans.size());
      assertThat(desks.plans().earlier(desks.one.id().value()))
          .contains(new EventPlans.Earlier(plans.isEmpty() ? null : plans.getFirst()));
      assertThat(desks.fixture.calls).hasSize(plans.size());
    }
  }

  @Test
  void aRefusedProposalStaysRefusedForItsOperatorOnly() {
    Desks desks = new Desks(new InMemoryStore(), 0);
    desks.propose(desks.one);
    desks.refunds(UNHELD);
    desks.propose(desks.one);
    desks.propose(desks.other);
    assertThat(desks.fixture.outcomes(Receipt.Kind.PROPOSAL)).containsExactly("refused");
    assertThat(desks.fixture.loop.reading().plans().newestOf(desks.partition, desks.one.id()))
        .isEmpty();
    assertThat(desks.plans().earlier(desks.one.id().value()))
        .contains(new EventPlans.Earlier(null));
    assertThat(desks.plans().ids()).hasSize(1);
  }

  @Test
  void aPlanOfOneActionIsOneTransactionOfSixItems() {
    List<Integer> sizes = new ArrayList<>();
    Store counting =
        new BendingStore(new InMemoryStore()) {
          @Override
          public Transacted transact(List<Write> writes) {
            sizes.add(writes.size());
            return inner.transact(writes);
          }
        };
    Desks desks = new Desks(counting, UNHELD);
    sizes.clear();
    desks.propose(desks.one);
    // The action, its plan, the entity's row and lock, the entry of the log, what came of the
    // event.
    assertThat(sizes).containsExactly(6);
  }

  /**
   * Every way for one operator's proposal to be met by another, when all is over.
   *
   * @param second whose that is
   */
  private static List<Desks> meetings(int amount, Function<Desks, Operator> second) {
    List<Desks> all = new ArrayList<>(meetings(amount, second, EventPlansTest::between));
    all.addAll(meetings(amount, second, EventPlansTest::contending));
    return all;
  }

  private static List<Desks> meetings(
      int amount, Function<Desks, Operator> second, BiFunction<Store, Turn, Store> how) {
    List<Desks> all = new ArrayList<>();
    Turn turn;
    do {
      turn = new Turn();
      Desks desks = new Desks(how.apply(new InMemoryStore(), turn), amount);
      turn.after(all.size(), () -> desks.propose(second.apply(desks)));
      desks.propose(desks.one);
      desks.fixture.deliver();
      all.add(desks);
    } while (turn.over);
    all.removeLast();
    assertThat(all).isNotEmpty();
    return all;
  }

  private static Store between(Store store, Turn turn) {
    return new HookedStore(store, _ -> turn.comes(), Hook.NONE);
  }

  private static Store contending(Store store, Turn turn) {
    return new BendingStore(store) {
      @Override
      public Transacted transact(List<Write> writes) {
        return turn.comes() ? new Transacted.Contended() : inner.transact(writes);
      }
    };
  }

  /** Has another run, once, after a number of calls. */
  private static final class Turn {
    private int left = -1;
    private Runnable other = () -> {};
    private boolean over;

    void after(int calls, Runnable run) {
      left = calls;
      other = run;
    }

    boolean comes() {
      if (left < 0 || left-- > 0) {
        return false;
      }
      over = true;
      other.run();
      return true;
    }
  }

  /** Two operators that watch one event, and propose refunds of one order. */
  private static final class Desks {
    private static final String WATCHING =
        ",'triggers':{'event_types':['order.paid']},'model':{'provider':'scripted','plans':[]}";

    private final LoopFixture fixture;
    private final Partition partition;
    private final Operator one;
    private final Operator other;
    private final Event event;

    /**
     * @param amount of the refunds, or 0 for a first proposal that is refused
     */
    Desks(Store store, int amount) {
      fixture = new LoopFixture(store);
      partition = fixture.caller.partition();
      one = fixture.operator("one-desk", WATCHING);
      other = fixture.operator("other-desk", WATCHING);
      event = fixture.event("order.paid");
      if (amount == 0) {
        refuses();
      } else {
        refunds(amount);
      }
    }

    void refunds(int amount) {
      fixture.proposer =
          context ->
              Proposer.Answer.unasked(
                  new Proposal.Proposed(
                      null,
                      List.of(
                          fixture.refund(
                              "1", amount + (context.operator().id().equals(one.id()) ? 0 : 1)))));
    }

    private void refuses() {
      fixture.proposer =
          _ -> {
            refunds(UNHELD);
            return Proposer.Answer.unasked(new Proposal.Unusable("No."));
          };
    }

    void propose(Operator operator) {
      String id = operator.id() + "#" + event.id();
      fixture
          .loop
          .proposing()
          .proposeForEvent()
          .propose(
              partition,
              new ProposalRequest(id, event.id(), operator.id(), event.requestId(), null));
    }

    EventPlans plans() {
      return fixture.eventLog.plans(partition, event.id());
    }

    List<Item> log() {
      return fixture
          .store
          .query(Query.of(Table.EVENTS, LogItems.partition(Log.of(partition, Log.Kind.LINKS))))
          .items();
    }
  }
}
