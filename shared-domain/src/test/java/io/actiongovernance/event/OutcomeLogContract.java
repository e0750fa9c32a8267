package io.actiongovernance.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.event.HookedStore.Died;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EntityKeys;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log of outcomes keeps on every {@link Store} (contract for agents, section 3). */
public abstract class OutcomeLogContract {
  private static final Duration LONGER_THAN_PATIENCE = LogFrontier.PATIENCE.plusMillis(1);
  private static final OperatorId DESK = new OperatorId("op_desk");

  private EventFixture fixture;

  protected abstract Store store();

  @BeforeEach
  void freshTenant() {
    fixture = new EventFixture(store());
  }

  private OutcomeLog logOver(Store store) {
    return new OutcomeLog(store, fixture.time, fixture.time);
  }

  private void tell(List<NewOutcome> chain) {
    logOver(fixture.store).append(fixture.partition, List.of(chain));
  }

  /** What became of a plan of one action, in its order. */
  private List<NewOutcome> chain() {
    PlanId plan = PlanId.next(fixture.ids);
    return List.of(
        outcome(plan, OutcomeType.PLAN_PROPOSED, null),
        outcome(plan, OutcomeType.ACTION_DISPOSED, null),
        outcome(plan, OutcomeType.PLAN_DISPOSED, null));
  }

  private NewOutcome outcome(PlanId plan, OutcomeType type, @Nullable String workspace) {
    return new NewOutcome(
        EventId.next(fixture.ids),
        type,
        plan,
        DESK,
        workspace,
        "operator:desk",
        CorrelationId.next(fixture.ids),
        Json.object().put("plan_id", plan.value()).put("summary", "é".repeat(200)),
        NewOutcome.hashed(EntityKeys.of("order:1")));
  }

  private List<EventId> listed(Order order) {
    EventFilter all = EventFilter.NONE.including(Set.of(Included.values()));
    return fixture.everything(fixture.query(order, all), 2, null).ids();
  }

  private static List<EventId> ids(List<NewOutcome> chain) {
    return chain.stream().map(NewOutcome::id).toList();
  }

  private Caller caller(Partition partition, @Nullable String workspace) {
    return new Caller(
        RequestId.next(fixture.ids),
        partition,
        null,
        KeyId.next(fixture.ids),
        "reader",
        Role.READ_ONLY.scopes(),
        workspace);
  }

  @Test
  void anOutcomeIsFoundUnchangedUntilItExpires() {
    NewOutcome told = chain().getFirst();
    tell(List.of(told));
    OutcomeEvent found =
        logOver(fixture.store).find(caller(fixture.partition, null), told.id()).orElseThrow();
    assertThat(found.outcome()).isEqualTo(told);
    assertThat(found.createdAt()).isEqualTo(fixture.time.instant());
    fixture.time.pass(Event.RETENTION);
    assertThat(logOver(fixture.store).find(caller(fixture.partition, null), told.id())).isEmpty();
  }

  @Test
  void anotherTenantModeOrWorkspaceFindsNothing() {
    NewOutcome told = outcome(PlanId.next(fixture.ids), OutcomeType.PLAN_PROPOSED, "emea");
    tell(List.of(told));
    Partition test = new Partition(fixture.partition.tenant(), Mode.TEST);
    Partition other = new Partition(TenantId.next(fixture.ids), Mode.LIVE);
    OutcomeLog log = logOver(fixture.store);
    for (Partition partition : List.of(test, other)) {
      assertThat(log.find(caller(partition, null), told.id())).isEmpty();
    }
    assertThat(log.find(caller(fixture.partition, "apac"), told.id())).isEmpty();
    assertThat(log.find(caller(fixture.partition, "emea"), told.id())).isPresent();
    assertThat(log.find(caller(fixture.partition, null), EventId.next(fixture.ids))).isEmpty();
  }

  @Test
  void repeatedOutcomesAreKeptOnceInPlanOrder() {
    List<NewOutcome> chain = chain();
    for (int upTo : List.of(1, 1, 2, 3, 1, 3)) {
      tell(chain.subList(0, upTo));
    }
    assertThat(listed(Order.ASC)).containsExactlyElementsOf(ids(chain));
    assertThat(listed(Order.DESC).reversed()).containsExactlyElementsOf(ids(chain));
  }

  @Test
  void anAppendThatDiedAnywhereIsFinishedByTheNext() {
    int deaths = 0;
    for (int call = 0; call < 12; call++) {
      for (boolean before : List.of(true, false)) {
        freshTenant();
        List<NewOutcome> chain = chain();
        deaths += dies(call, before, chain) ? 1 : 0;
        fixture.append();
        tell(chain);
        fixture.time.pass(LONGER_THAN_PATIENCE);
        List<EventId> all = listed(Order.ASC);
        assertThat(all).as("died at call %s", call).hasSize(4).containsSubsequence(ids(chain));
        assertThat(listed(Order.DESC).reversed()).isEqualTo(all);
      }
    }
    assertThat(deaths).isGreaterThan(10);
  }

  private boolean dies(int call, boolean before, List<NewOutcome> chain) {
    Hook die = Hook.dieAt(call);
    Store deadly =
        new HookedStore(fixture.store, before ? die : Hook.NONE, before ? Hook.NONE : die);
    try {
      logOver(deadly).append(fixture.partition, List.of(chain));
      return false;
    } catch (Died e) {
      return true;
    }
  }

  /** A relay slow between any two steps finds its positions closed, and takes others. */
  @Test
  void aRelayWhosePositionsWereGivenUpStillTellsAll() {
    for (int slow = 0; slow < 9; slow++) {
      freshTenant();
      int at = slow;
      List<NewOutcome> chain = chain();
      List<EventId> seen = new ArrayList<>();
      Store store =
          new HookedStore(
              fixture.store,
              call -> {
                if (call == at) {
                  fixture.append();
                  fixture.time.pass(LONGER_THAN_PATIENCE);
                  seen.addAll(listed(Order.ASC));
                }
              },
              Hook.NONE);
      logOver(store).append(fixture.partition, List.of(chain));
      List<EventId> all = listed(Order.ASC);
      // An earlier reader is told nothing that stands before what it has seen.
      assertThat(all).startsWith(seen.toArray(EventId[]::new)).containsSubsequence(ids(chain));
      assertThat(all).doesNotHaveDuplicates().hasSize(3 + (seen.isEmpty() ? 0 : 1));
    }
  }

  @Test
  void concurrentRelaysAndEventsMakeOneOrder() throws Exception {
    List<List<NewOutcome>> chains = IntStream.range(0, 5).mapToObj(_ -> chain()).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int relay = 0; relay < 4; relay++) {
        all.add(threads.submit(() -> logOver(fixture.store).append(fixture.partition, chains)));
        all.add(threads.submit(fixture::append));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    List<EventId> order = listed(Order.ASC);
    assertThat(order).hasSize(5 * 3 + 4).doesNotHaveDuplicates();
    chains.forEach(chain -> assertThat(order).containsSubsequence(ids(chain)));
    assertThat(listed(Order.DESC).reversed()).isEqualTo(order);
  }
}
