package io.actiongovernance.event;

import static io.actiongovernance.event.EventFixture.filter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.HookedStore.Died;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.EntityKeys;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the log of envelopes keeps on every {@link Store} (contract, section 7; architecture, step
 * 1).
 */
public abstract class EventLogContract {
  private static final Duration LONGER_THAN_PATIENCE = LogFrontier.PATIENCE.plusMillis(1);

  private EventFixture fixture;

  protected abstract Store store();

  @BeforeEach
  void freshTenant() {
    fixture = new EventFixture(store());
  }

  @Test
  void positionsCountUpFromOneInEachPartition() {
    assertThat(List.of(fixture.append().position(), fixture.append().position()))
        .containsExactly(1L, 2L);
    Partition test = new Partition(fixture.partition.tenant(), Mode.TEST);
    assertThat(
            new LogHead(fixture.store, fixture.time)
                .take(Log.of(test, Log.Kind.ENVELOPES))
                .position())
        .isEqualTo(1);
  }

  @Test
  void anAppendedEventIsFoundUnchanged() {
    Event appended = fixture.append();
    assertThat(fixture.log.find(fixture.partition, appended.id())).contains(appended);
    assertThat(fixture.log.find(fixture.partition, EventId.next(fixture.ids))).isEmpty();
    Partition test = new Partition(fixture.partition.tenant(), Mode.TEST);
    assertThat(fixture.log.find(test, appended.id())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"b\":1.10,\"a\":1e2,\"c\":1E400,\"d\":-0.000001,\"e\":1e-400,\"f\":12345678901234567890.12}",
        "{\"\":{\"\":null,\"x\":[true,false,[],{}]},\"\\u0000\":\"\\u0000\\ud83d\\ude00\\\"\\\\\"}"
      })
  void payloadsComeBackToTheLastDigit(String payload) {
    NewEvent envelope = fixture.envelope("shop", "order.created", null, payload);
    fixture.log.append(envelope);
    Event found = fixture.log.find(fixture.partition, envelope.id()).orElseThrow();
    assertThat(CanonicalJson.of(found.payload())).isEqualTo(CanonicalJson.of(envelope.payload()));
    assertThat(found.payloadText().length()).isLessThanOrEqualTo(payload.length());
  }

  @Test
  void aLargePayloadIsAnItemOfItsOwn() {
    String payload = "{\"text\":\"" + "é".repeat(120_000) + "\"}";
    Event event = fixture.log.append(fixture.envelope("shop", "order.created", null, payload));
    Event found = fixture.log.find(fixture.partition, event.id()).orElseThrow();
    assertThat(found.payloadText()).isEqualTo(payload);
    Item item = fixture.store.get(EventItems.key(fixture.partition, event.id())).orElseThrow();
    assertThat(item.has("payload")).isFalse();
  }

  @Test
  void anIdentifierIsAppendedOnce() {
    NewEvent envelope = fixture.envelope();
    Event first = fixture.log.append(envelope);
    assertThat(fixture.log.append(envelope)).isEqualTo(first);
    assertThat(fixture.listed()).containsExactly(envelope.id());
  }

  @Test
  void anAppendThatDiedAnywhereIsFinishedByTheNext() {
    String large = "{\"text\":\"" + "x".repeat(EventItems.LARGE) + "\"}";
    for (int call = 0; call < 4; call++) {
      for (boolean before : List.of(true, false)) {
        NewEvent envelope = fixture.envelope("shop", "order.created", null, large);
        boolean died = dies(call, before, log -> log.append(envelope));
        assertThat(died).as("dies at call %s", call).isEqualTo(call < 3);
        Event event = fixture.log.append(envelope);
        Event after = fixture.append();
        assertThat(fixture.log.find(fixture.partition, event.id())).contains(event);
        assertThat(fixture.listed().stream().filter(event.id()::equals)).hasSize(1);
        assertThat(fixture.listed()).endsWith(event.id(), after.id());
      }
    }
  }

  @Test
  void aLinkThatDiedAnywhereIsFinishedByTheNext() {
    EventFilter touched = filter(null, null, null, "order:1");
    for (int call = 0; call < 4; call++) {
      for (boolean before : List.of(true, false)) {
        Event event = fixture.append();
        boolean died = dies(call, before, log -> log.link(event, EntityKeys.of("order:1")));
        assertThat(died).as("dies at call %s", call).isEqualTo(call < 3);
        fixture.log.link(event, EntityKeys.of("order:1"));
        List<EventId> linked =
            fixture.everything(fixture.query(Order.ASC, touched), 100, null).ids();
        assertThat(linked.stream().filter(event.id()::equals)).hasSize(1);
        assertThat(linked).endsWith(event.id());
      }
    }
  }

  private boolean dies(int call, boolean before, java.util.function.Consumer<EventLog> work) {
    Hook die = Hook.dieAt(call);
    Store deadly =
        new HookedStore(fixture.store, before ? die : Hook.NONE, before ? Hook.NONE : die);
    try {
      work.accept(fixture.logOver(deadly));
      return false;
    } catch (Died e) {
      return true;
    }
  }

  @Test
  void aReaderStopsAtAYoungHoleAndGoesOnOnceItIsFilled() {
    LogFrontier frontier = new LogFrontier(fixture.store, fixture.time, fixture.time);
    fixture.append();
    NewEvent slow = fixture.envelope();
    AtomicInteger settledMeanwhile = new AtomicInteger();
    Store store =
        new HookedStore(
            fixture.store,
            call -> {
              if (call == 1) { // its position is taken, and not filled
                fixture.append();
                settledMeanwhile.set((int) frontier.settled(fixture.envelopes));
              }
            },
            Hook.NONE);
    Event event = fixture.logOver(store).append(slow);
    assertThat(event.position()).isEqualTo(2);
    assertThat(settledMeanwhile).hasValue(1);
    assertThat(frontier.settled(fixture.envelopes)).isEqualTo(3);
  }

  @Test
  void aWriterThatFindsItsPositionClosedTakesAnother() {
    NewEvent late = fixture.envelope();
    Store store =
        new HookedStore(
            fixture.store,
            call -> {
              if (call == 1) {
                fixture.append();
                fixture.time.pass(LONGER_THAN_PATIENCE);
                assertThat(fixture.listed()).hasSize(1);
              }
            },
            Hook.NONE);
    assertThat(fixture.logOver(store).append(late).position()).isEqualTo(3);
    assertThat(fixture.listed()).hasSize(2).endsWith(late.id());
  }

  @Test
  void anOldHoleAtTheEndIsClosedBeforeAnybodyWaitsForIt() {
    takeAndDie();
    fixture.time.pass(LONGER_THAN_PATIENCE);
    LogFrontier frontier = new LogFrontier(fixture.store, fixture.time, fixture.time);
    assertThat(frontier.settled(fixture.envelopes)).isEqualTo(1);
    fixture.append();
    assertThat(frontier.settled(fixture.envelopes)).isEqualTo(2);
  }

  @Test
  void anAcknowledgedEventIsListedDespiteAnEarlierPendingWrite() {
    takeAndDie();
    Event event = fixture.append();
    assertThat(fixture.listed()).containsExactly(event.id());
  }

  @Test
  void theTimeOfTheLogNeverGoesBack() {
    Event first = fixture.append();
    fixture.time.pass(Duration.ofMinutes(-5));
    Event second = fixture.append();
    assertThat(second.createdAt()).isEqualTo(first.createdAt());
    fixture.time.pass(Duration.ofMinutes(6));
    assertThat(fixture.append().createdAt()).isEqualTo(fixture.time.instant());
  }

  private void takeAndDie() {
    EventLog deadly = fixture.logOver(new HookedStore(fixture.store, Hook.dieAt(1), Hook.NONE));
    assertThatThrownBy(() -> deadly.append(fixture.envelope())).isInstanceOf(Died.class);
  }

  @Test
  void plansAreListedOldestFirstAndOnce() {
    Event event = fixture.append();
    PlanId first = PlanId.next(fixture.ids);
    PlanId second = PlanId.next(fixture.ids);
    for (PlanId plan : List.of(second, first, second)) {
      assertThat(planned(event, plan, null, List.of()).done()).isTrue();
    }
    assertThat(fixture.log.find(fixture.partition, event.id()).orElseThrow().planIds())
        .containsExactly(first, second);
  }

  private Store.Transacted planned(
      Event event, PlanId plan, @Nullable String once, List<EventLog.Touch> touches) {
    return fixture.store.transact(
        fixture.log.planned(fixture.partition, event.id(), plan, once, touches));
  }

  @Test
  void aUniqueProposalIsPlannedOnceOrRefusedOnce() {
    Event event = fixture.append();
    PlanId first = PlanId.next(fixture.ids);
    PlanId second = PlanId.next(fixture.ids);
    assertThat(planned(event, first, "desk", List.of()).done()).isTrue();
    assertThat(earlier(planned(event, second, "desk", List.of()), "desk"))
        .contains(new EventPlans.Earlier(first));
    assertThat(refused(event, "desk").done()).isFalse();
    assertThat(refused(event, "other-desk").done()).isTrue();
    assertThat(earlier(planned(event, second, "other-desk", List.of()), "other-desk"))
        .contains(new EventPlans.Earlier(null));
    assertThat(refused(event, "other-desk").done()).isFalse();
    EventPlans plans = fixture.log.plans(fixture.partition, event.id());
    assertThat(plans.ids()).containsExactly(first);
    assertThat(plans.earlier("third-desk")).isEmpty();
    assertThat(fixture.log.find(fixture.partition, event.id()).map(Event::plans)).contains(plans);
  }

  private Store.Transacted refused(Event event, String once) {
    return fixture.store.transact(
        List.of(fixture.log.refused(fixture.partition, event.id(), once)));
  }

  /** What became of it earlier, as the refusal tells. */
  private static Optional<EventPlans.Earlier> earlier(Store.Transacted refused, String once) {
    return ((Store.Transacted.Refused) refused)
        .refusals()
        .getLast()
        .found()
        .map(EventItems::plans)
        .flatMap(it -> it.earlier(once));
  }

  @Test
  void aPlanIsNotMadeWithALaterTouch() {
    Event event = fixture.append();
    PlanId first = PlanId.next(fixture.ids);
    PlanId second = PlanId.next(fixture.ids);
    List<EventLog.Touch> touches = fixture.log.touch(event, EntityKeys.of("order:1"));
    List<EventLog.Touch> late = fixture.log.touch(event, EntityKeys.of("order:1", "order:2"));
    assertThat(planned(event, first, "desk", touches).done()).isTrue();
    assertThat(planned(event, second, "other-desk", late).done()).isFalse();
    assertThat(fixture.log.plans(fixture.partition, event.id()))
        .isEqualTo(
            new EventPlans(
                List.of(first),
                Map.of("desk", new EventPlans.Earlier(first)),
                Map.of(EventPlans.entity("order:1"), 1L)));
    late.forEach(fixture.log::link);
    assertThat(fixture.log.plans(fixture.partition, event.id()).touched())
        .isEqualTo(Map.of(EventPlans.entity("order:1"), 1L, EventPlans.entity("order:2"), 3L));
    assertThat(fixture.listed()).containsExactly(event.id());
    assertThat(new LogFrontier(fixture.store, fixture.time, fixture.time).settled(fixture.links))
        .isEqualTo(3);
  }

  @Test
  void aPlanIsNotMadeWithATouchThatAReaderGaveUp() {
    Event event = fixture.append();
    List<EventLog.Touch> touches = fixture.log.touch(event, EntityKeys.of("order:1"));
    fixture.time.pass(LONGER_THAN_PATIENCE);
    assertThat(new LogFrontier(fixture.store, fixture.time, fixture.time).settled(fixture.links))
        .isEqualTo(1);
    assertThat(planned(event, PlanId.next(fixture.ids), null, touches).done()).isFalse();
    assertThat(fixture.log.plans(fixture.partition, event.id())).isEqualTo(EventPlans.NONE);
    touches.forEach(fixture.log::link);
    assertThat(fixture.log.plans(fixture.partition, event.id()).touched("order:1")).contains(2L);
  }

  @Test
  void anEventMayHaveHundredsOfTouchesInASmallItem() {
    Event event = fixture.append();
    for (int plan = 0; plan < 6; plan++) {
      List<EventLog.Touch> touches = fixture.log.touch(event, orders(50 * plan, 50 * plan + 50));
      assertThat(planned(event, PlanId.next(fixture.ids), "desk-" + plan, touches).done()).isTrue();
    }
    Event now = fixture.log.find(fixture.partition, event.id()).orElseThrow();
    assertThat(now.planIds()).hasSize(6);
    assertThat(now.plans().touched().values())
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 300).boxed().toList());
    assertThat(fixture.log.touch(now, orders(0, 300))).isEmpty();
    fixture.log.link(event, orders(0, 300));
    assertThat(new LogHead(fixture.store, fixture.time).take(fixture.links).position())
        .isEqualTo(301);
    EventFilter last = filter(null, null, null, "order:299");
    assertThat(fixture.everything(fixture.query(Order.ASC, last), 100, null).ids())
        .containsExactly(event.id());
    Item item = fixture.store.get(EventItems.plansKey(fixture.partition, event.id())).orElseThrow();
    assertThat(item.attributes().toString().length()).isLessThan(16 * 1024);
  }

  private static Set<EntityKey> orders(int from, int below) {
    return IntStream.range(from, below)
        .mapToObj(order -> new EntityKey("order:" + order))
        .collect(Collectors.toSet());
  }

  @Test
  void aRepeatedTouchAddsNoEntryEvenWithoutALookup() {
    EventFilter touched = filter(null, null, null, "order:1");
    Event event = fixture.append();
    fixture.log.touch(event, EntityKeys.of("order:1")).forEach(fixture.log::link);
    fixture.log.touch(event, EntityKeys.of("order:1")).forEach(fixture.log::link);
    Event after = fixture.append();
    fixture.log.touch(after, EntityKeys.of("order:1")).forEach(fixture.log::link);
    assertThat(fixture.everything(fixture.query(Order.ASC, touched), 100, null).ids())
        .containsExactly(event.id(), after.id());
  }

  @Test
  void onlyTheFirstTouchOfAnEntityIsAPosition() {
    Event event = fixture.append();
    fixture.log.link(event, EntityKeys.of("order:1", "order:2"));
    fixture.log.link(event, EntityKeys.of("order:2", "order:3"));
    assertThat(new LogHead(fixture.store, fixture.time).take(fixture.links).position())
        .isEqualTo(4);
  }

  @Test
  void anEventIsOneObjectItemAndAllRowsButTheHeadExpire() {
    Event event = fixture.append();
    fixture.log.link(event, EntityKeys.of("order:1"));
    planned(event, PlanId.next(fixture.ids), null, List.of());
    Item item = fixture.store.get(EventItems.key(fixture.partition, event.id())).orElseThrow();
    assertThat(List.of(item.text("kind"), item.text("id"), item.text("partition")))
        .containsExactly("event", event.id().value(), fixture.partition.key());
    List<Item> others =
        Stream.of(fixture.envelopes, fixture.links)
            .map(log -> Query.of(Table.EVENTS, LogItems.partition(log)))
            .flatMap(query -> fixture.store.query(query).items().stream())
            .toList();
    assertThat(others).hasSize(2).noneMatch(other -> other.has("kind"));
    assertThat(others).allMatch(other -> other.has(Table.EXPIRES));
    assertThat(fixture.store.get(EventItems.plansKey(fixture.partition, event.id())).orElseThrow())
        .matches(plans -> plans.has(Table.EXPIRES) && !plans.has("kind"));
    assertThat(fixture.store.get(LogHead.key(fixture.envelopes)).orElseThrow())
        .matches(head -> !head.has(Table.EXPIRES));
  }

  @Test
  void anEventPastItsRetentionIsHiddenEvenIfStillStored() {
    Event event = fixture.append();
    fixture.time.pass(Event.RETENTION.minusSeconds(1));
    assertThat(fixture.log.find(fixture.partition, event.id())).isPresent();
    fixture.time.pass(Duration.ofSeconds(1));
    assertThat(fixture.log.find(fixture.partition, event.id())).isEmpty();
    assertThat(fixture.listed()).isEmpty();
  }

  @Test
  void aFollowingReaderMissesNothingWhileManyWriteAndSomeDie() throws Exception {
    int writers = 6;
    int each = 40;
    ConcurrentLinkedQueue<EventId> acknowledged = new ConcurrentLinkedQueue<>();
    List<EventId> followed = new java.util.ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> running =
          IntStream.range(0, writers)
              .<Future<?>>mapToObj(
                  writer -> threads.submit(() -> writeOrDie(writer, each, acknowledged)))
              .toList();
      EventCursor cursor = EventCursor.at(0);
      boolean last;
      do {
        last = running.stream().allMatch(Future::isDone);
        EventFixture.Listing listing = fixture.everything(fixture.all(Order.ASC), 7, cursor);
        followed.addAll(listing.ids());
        cursor = listing.end();
      } while (!last);
      for (Future<?> writer : running) {
        writer.get();
      }
    }
    assertThat(followed).doesNotHaveDuplicates().containsAll(acknowledged);
    assertThat(fixture.listed()).isEqualTo(followed);
    assertThat(new TreeSet<>(acknowledged.stream().map(EventId::value).toList()))
        .hasSizeGreaterThan(writers * each / 2);
  }

  private void writeOrDie(int writer, int each, ConcurrentLinkedQueue<EventId> acknowledged) {
    for (int count = 0; count < each; count++) {
      NewEvent envelope = fixture.envelope();
      boolean deadly = (writer + count) % 7 == 0;
      Store store =
          deadly ? new HookedStore(fixture.store, Hook.dieAt(1), Hook.NONE) : fixture.store;
      try {
        acknowledged.add(fixture.logOver(store).append(envelope).id());
      } catch (Died e) {
        assertThat(deadly).isTrue();
      }
    }
  }
}
