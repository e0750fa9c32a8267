package io.actiongovernance.event;

import static io.actiongovernance.event.EventFixture.filter;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Reach;
import io.actiongovernance.id.EntityKeys;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Following a log (contract, section 7). */
final class EventFeedTest {
  private static final int WRITERS = 6;
  private static final int EACH = 150;

  private final EventFixture fixture = new EventFixture(new InMemoryStore());
  private final EventFeeds feeds =
      new EventFeeds(fixture.store, fixture.time, fixture.time, fixture.list);

  private EventFeed open(EventFilter filter, EventCursor... from) {
    return feeds.open(fixture.partition, Reach.WHOLE, filter, from.length == 0 ? null : from[0]);
  }

  private List<EventId> read(EventFeed feed) {
    fixture.time.pass(LogTail.FRESH);
    List<EventId> ids = new ArrayList<>();
    EventFeed.Next next;
    do {
      next = feed.next();
      next.events().forEach(listed -> ids.add(listed.event().id()));
    } while (next.more());
    return ids;
  }

  private List<EventId> append(int count) {
    List<EventId> ids = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      ids.add(fixture.append().id());
    }
    return ids;
  }

  @Test
  void aFeedThatFellFarBehindMissesNothing() {
    List<EventId> old = append(3);
    try (EventFeed slow = open(EventFilter.NONE, EventCursor.at(1));
        EventFeed quick = open(EventFilter.NONE)) {
      assertThat(read(slow)).isEqualTo(old.subList(1, 3));
      List<EventId> many = append(LogTail.MOST_ENTRIES);
      assertThat(read(quick)).isEqualTo(many);
      List<EventId> more = append(LogTail.MOST_ENTRIES);
      assertThat(read(quick)).isEqualTo(more);
      many.addAll(more);
      assertThat(read(slow)).isEqualTo(many);
      List<EventId> last = append(2);
      assertThat(read(slow)).isEqualTo(last);
      assertThat(read(quick)).isEqualTo(last);
    }
  }

  @Test
  void aLongUnreadFeedResumesWhereItStopped() {
    try (EventFeed feed = open(EventFilter.NONE)) {
      assertThat(read(feed)).isEmpty();
      List<EventId> many = append(LogTail.MOST_ENTRIES * 2 + 7);
      assertThat(read(feed)).isEqualTo(many);
    }
  }

  @Test
  void aSlowFeedMissesNothingPastTheByteLimit() {
    String payload = "{\"text\":\"" + "x".repeat(200_000) + "\"}";
    List<EventId> ids = new ArrayList<>();
    try (EventFeed slow = open(EventFilter.NONE);
        EventFeed quick = open(EventFilter.NONE)) {
      assertThat(read(slow)).isEmpty();
      for (int at = 0; at < 30; at++) {
        ids.add(fixture.log.append(fixture.envelope("shop", "a.b", null, payload)).id());
      }
      assertThat(read(quick)).isEqualTo(ids);
      assertThat(read(slow)).isEqualTo(ids);
    }
  }

  @Test
  void aFeedFromAnUnrelatedEventSeesLaterTouchesOnly() {
    EventFilter entity = filter(null, null, null, "order:1");
    Event before = fixture.append();
    fixture.log.link(before, EntityKeys.of("order:1"));
    fixture.time.pass(Duration.ofMinutes(1));
    Event other = fixture.append();
    Event after = fixture.append();
    fixture.log.link(after, EntityKeys.of("order:1"));
    try (EventFeed feed = open(entity, fixture.log.placeOf(other, entity))) {
      assertThat(read(feed)).containsExactly(after.id());
    }
  }

  @Test
  void theFirstTouchOfAnEntityIsFed() {
    Event event = fixture.append();
    EventFilter entity = filter(null, null, null, "order:1");
    try (EventFeed feed = open(entity)) {
      assertThat(read(feed)).isEmpty();
      fixture.log.link(event, EntityKeys.of("order:1", "order:2"));
      fixture.log.link(event, EntityKeys.of("order:1"));
      assertThat(read(feed)).containsExactly(event.id());
    }
    Event now = fixture.log.find(fixture.partition, event.id()).orElseThrow();
    assertThat(fixture.log.placeOf(now, EventFilter.NONE)).isEqualTo(EventCursor.at(1));
    assertThat(fixture.log.placeOf(now, entity)).isEqualTo(EventCursor.at(1));
    assertThat(fixture.log.placeOf(now, filter(null, null, null, "order:2")))
        .isEqualTo(EventCursor.at(2));
    try (EventFeed resumed = open(entity, fixture.log.placeOf(now, entity))) {
      assertThat(read(resumed)).isEmpty();
    }
  }

  @Test
  void anEntryThatFillsAHoleWhileItIsClosedIsFed() {
    Event event = fixture.append();
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger closing = new AtomicInteger(-1);
    AtomicReference<EventLog.Touch> late = new AtomicReference<>();
    HookedStore.Hook fillBeforeItIsClosed =
        call -> {
          if (calls.getAndIncrement() == closing.get()) {
            fixture.log.link(Objects.requireNonNull(late.get()));
          }
        };
    Store store = new HookedStore(fixture.store, fillBeforeItIsClosed, HookedStore.Hook.NONE);
    EventFeeds following = new EventFeeds(store, fixture.time, fixture.time, fixture.list);
    EventFilter entity = filter(null, null, null, "order:1");
    try (EventFeed feed = following.open(fixture.partition, Reach.WHOLE, entity, null)) {
      assertThat(read(feed)).isEmpty();
      late.set(fixture.log.touch(event, EntityKeys.of("order:1")).getFirst());
      fixture.time.pass(LogFrontier.PATIENCE);
      closing.set(calls.get() + 2); // after the head and the log were read
      assertThat(read(feed)).containsExactly(event.id());
      assertThat(calls).hasValueGreaterThan(closing.get());
    }
  }

  @Test
  void manyFeedsOfOneLogReadItOnce() {
    AtomicInteger queries = new AtomicInteger();
    InMemoryStore inner = new InMemoryStore();
    EventFixture counted = new EventFixture(inner);
    EventFeeds shared =
        new EventFeeds(
            new HookedStore(inner, call -> queries.incrementAndGet(), HookedStore.Hook.NONE),
            counted.time,
            counted.time,
            counted.list);
    List<EventFeed> open = new ArrayList<>();
    for (int at = 0; at < 20; at++) {
      open.add(shared.open(counted.partition, Reach.WHOLE, EventFilter.NONE, null));
      open.getLast().next();
    }
    int before = queries.get();
    counted.append();
    counted.time.pass(LogTail.FRESH);
    for (EventFeed feed : open) {
      assertThat(feed.next().events()).hasSize(1);
    }
    assertThat(queries.get() - before).isEqualTo(3); // the head, the log, the events
    open.forEach(EventFeed::close);
  }

  @Test
  void backfillThenTailHasNoGapAndNoOverlapWhileManyWrite() throws Exception {
    InMemoryStore store = new InMemoryStore();
    InstantSource clock = InstantSource.system();
    EventList list = new EventList(store, clock, Sleeper.real());
    EventFeeds real = new EventFeeds(store, clock, Sleeper.real(), list);
    EventLog log = new EventLog(store, clock, Sleeper.real());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        writers.add(
            threads.submit(
                () -> {
                  for (int at = 0; at < EACH; at++) {
                    log.append(fixture.envelope());
                    Thread.sleep(1);
                  }
                  return null;
                }));
      }
      List<Future<List<EventId>>> readers = new ArrayList<>();
      for (int reader = 0; reader < 8; reader++) {
        Order order = reader % 2 == 0 ? Order.ASC : Order.DESC;
        Thread.sleep(20);
        readers.add(threads.submit(() -> backfillThenTail(list, real, order)));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      for (Future<List<EventId>> reader : readers) {
        assertThat(reader.get()).doesNotHaveDuplicates().hasSize(WRITERS * EACH);
      }
    }
  }

  /** Reads until it has as many as are written. */
  private List<EventId> backfillThenTail(EventList list, EventFeeds real, Order order)
      throws InterruptedException {
    List<EventId> got = new ArrayList<>();
    EventQuery query = fixture.query(order, EventFilter.NONE);
    EventsPage page = list.list(query, 7, null);
    while (true) {
      page.items().forEach(listed -> got.add(listed.event().id()));
      if (!page.more()) {
        break;
      }
      page = list.list(query, 7, page.next());
    }
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    try (EventFeed feed =
        real.open(fixture.partition, Reach.WHOLE, EventFilter.NONE, page.next())) {
      while (got.size() < WRITERS * EACH && System.nanoTime() < deadline) {
        feed.next().events().forEach(listed -> got.add(listed.event().id()));
        Thread.sleep(5);
      }
      // And nothing more comes, be it twice.
      Thread.sleep(LogTail.FRESH.toMillis() + 50);
      feed.next().events().forEach(listed -> got.add(listed.event().id()));
    }
    return got;
  }
}
