package io.actiongovernance.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Reach;
import io.actiongovernance.event.HookedStore.Died;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.id.EntityKeys;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Backfill, then tail: no gap and no overlap, whatever happens in between (contract, section 7).
 */
final class EventCursorProperties {
  private static final List<String> SOURCES = List.of("shop", "desk");
  private static final List<String> TYPES =
      List.of("order.created", "order.deleted", "ticket.created", "order.refund.issued");
  private static final List<String> ENTITIES = List.of("order:1", "order:2");

  /** Something that happens to a log. */
  sealed interface Step {
    record Append(int source, int type, boolean inWorkspace) implements Step {}

    /** A writer takes a position and dies. */
    record Die() implements Step {}

    /** A writer takes a position, others go on, and only then it fills it. */
    record Overtaken(int source, int type, Duration by) implements Step {}

    record Link(int event, int entity) implements Step {}

    /** Time passes; back, when clocks disagree. */
    record Pass(Duration time) implements Step {}
  }

  /** A log, and what is in it by the test's own account: the event of each of its positions. */
  private static final class Model {
    private final TestTime time;
    private final EventFixture fixture;
    private final List<Event> appended = new ArrayList<>();
    private final Set<String> touched = new HashSet<>();
    private final List<LogEntry> positions = new ArrayList<>();

    Model(long seed) {
      InMemoryStore store = new InMemoryStore();
      this.fixture = new EventFixture(store, new SplittableRandom(seed));
      this.time = fixture.time;
    }

    void run(Step step) {
      switch (step) {
        case Step.Append(int source, int type, boolean inWorkspace) ->
            appended(
                fixture.log.append(
                    fixture.envelope(
                        SOURCES.get(source), TYPES.get(type), inWorkspace ? "w1" : null, "{}")));
        case Step.Die _ -> die();
        case Step.Overtaken(int source, int type, Duration by) -> overtaken(source, type, by);
        case Step.Link(int event, int entity) -> link(event, ENTITIES.get(entity));
        case Step.Pass(Duration passed) -> time.pass(passed);
      }
    }

    private void appended(Event event) {
      appended.add(event);
      positions.add(LogEntry.of(event, 0));
    }

    private void die() {
      try {
        fixture
            .logOver(new HookedStore(fixture.store, Hook.dieAt(1), Hook.NONE))
            .append(fixture.envelope());
      } catch (Died e) {
        return;
      }
      throw new AssertionError("It should have died.");
    }

    private void overtaken(int source, int type, Duration by) {
      Store store =
          new HookedStore(
              fixture.store,
              call -> {
                if (call == 1) {
                  appended(fixture.append());
                  time.pass(by);
                  fixture.list.list(fixture.all(Order.DESC), 1, null);
                }
              },
              Hook.NONE);
      appended(
          fixture
              .logOver(store)
              .append(fixture.envelope(SOURCES.get(source), TYPES.get(type), null, "{}")));
    }

    private void link(int which, String entity) {
      if (appended.isEmpty()) {
        return;
      }
      Event event = appended.get(which % appended.size());
      fixture.log.link(event, EntityKeys.of(entity));
      if (touched.add(event.id() + entity)) {
        LogEntry envelope = LogEntry.of(event, 0);
        positions.add(envelope.touching(entity, new LogHead.Taken(0, time.instant())));
      }
    }

    List<EventId> matching(EventFilter filter) {
      return positions.stream().filter(filter::matches).map(LogEntry::eventId).toList();
    }

    EventFeeds feeds() {
      Store store = new LaggingStore(fixture.store, time);
      return new EventFeeds(store, time, time, new EventList(store, time, time));
    }

    EventList lagging() {
      return new EventList(new LaggingStore(fixture.store, time), time, time);
    }
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void backfillThenTailYieldsEveryMatchOnce(
      @ForAll("steps") List<Step> history,
      @ForAll("steps") List<Step> meanwhile,
      @ForAll("steps") List<Step> afterwards,
      @ForAll("filters") EventFilter filter,
      @ForAll Order order,
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll long seed) {
    Model model = new Model(seed);
    history.forEach(model::run);
    List<EventId> got = new ArrayList<>();
    EventCursor end = page(model, order, filter, limit, meanwhile.iterator(), got);
    afterwards.forEach(model::run);
    EventCursor tailed =
        page(model, Order.ASC, filter, limit, List.<Step>of().iterator(), got, end);
    assertThat(got).containsExactlyInAnyOrderElementsOf(model.matching(filter));
    assertThat(model.lagging().list(model.fixture.query(Order.ASC, filter), limit, tailed).items())
        .isEmpty();
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void backfillThenAFeedYieldsEveryMatchOnceInLogOrder(
      @ForAll("steps") List<Step> history,
      @ForAll("steps") List<Step> meanwhile,
      @ForAll("steps") List<Step> afterwards,
      @ForAll("filters") EventFilter filter,
      @ForAll Order order,
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll long seed) {
    Model model = new Model(seed);
    history.forEach(model::run);
    List<EventId> got = new ArrayList<>();
    EventCursor end = page(model, order, filter, limit, meanwhile.iterator(), got);
    List<EventId> fed = new ArrayList<>();
    List<EventId> others = new ArrayList<>();
    EventFeeds feeds = model.feeds();
    int before = model.matching(EventFilter.NONE).size();
    try (EventFeed feed = feeds.open(model.fixture.partition, Reach.WHOLE, filter, end);
        EventFeed other =
            feeds.open(model.fixture.partition, Reach.WHOLE, EventFilter.NONE, null)) {
      for (Step step : afterwards) {
        model.run(step);
        read(feed, fed);
        read(other, others);
      }
      for (int again = 0; again < 3; again++) {
        // Long enough for the last holes to be closed, whatever the clock did before.
        model.time.pass(Duration.ofMinutes(1));
        read(feed, fed);
        read(other, others);
      }
    }
    List<EventId> later = new ArrayList<>();
    page(model, Order.ASC, filter, limit, List.<Step>of().iterator(), later, end);
    assertThat(fed).isEqualTo(later);
    got.addAll(fed);
    assertThat(got).containsExactlyInAnyOrderElementsOf(model.matching(filter));
    assertThat(others).hasSize(model.matching(EventFilter.NONE).size() - before);
  }

  private static void read(EventFeed feed, List<EventId> into) {
    EventFeed.Next next;
    do {
      next = feed.next();
      next.events().forEach(listed -> into.add(listed.event().id()));
    } while (next.more());
  }

  /** Reads all pages, with one further step of the log's life after each. */
  private static EventCursor page(
      Model model,
      Order order,
      EventFilter filter,
      int limit,
      Iterator<Step> meanwhile,
      List<EventId> got,
      EventCursor... from) {
    EventCursor cursor = from.length == 0 ? null : from[0];
    while (true) {
      EventsPage page = model.lagging().list(model.fixture.query(order, filter), limit, cursor);
      page.items().forEach(listed -> got.add(listed.event().id()));
      cursor = page.next();
      if (!page.more()) {
        return cursor;
      }
      if (meanwhile.hasNext()) {
        model.run(meanwhile.next());
      }
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void bothOrdersListTheSameEventsAndCursorsResumeAtTheirItem(
      @ForAll("steps") List<Step> history,
      @ForAll("filters") EventFilter filter,
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll long seed) {
    Model model = new Model(seed);
    history.forEach(model::run);
    EventFixture fixture = model.fixture;
    List<EventId> ascending =
        fixture.everything(fixture.query(Order.ASC, filter), limit, null).ids();
    List<EventId> descending =
        fixture.everything(fixture.query(Order.DESC, filter), limit, null).ids();
    assertThat(descending.reversed()).isEqualTo(ascending);
    assertThat(ascending).containsExactlyInAnyOrderElementsOf(model.matching(filter));
    EventsPage all = fixture.list.list(fixture.query(Order.ASC, filter), 100, null);
    for (int at = 0; at < all.items().size(); at++) {
      EventCursor cursor = all.items().get(at).cursor();
      assertThat(fixture.everything(fixture.query(Order.ASC, filter), limit, cursor).ids())
          .isEqualTo(ascending.subList(at + 1, ascending.size()));
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> source = Arbitraries.integers().between(0, SOURCES.size() - 1);
    Arbitrary<Integer> type = Arbitraries.integers().between(0, TYPES.size() - 1);
    Arbitrary<Integer> entity = Arbitraries.integers().between(0, ENTITIES.size() - 1);
    Arbitrary<Duration> time =
        Arbitraries.of(-3000, 0, 1, 1500, 2500, 20_000, 70_000, 600_000).map(Duration::ofMillis);
    Arbitrary<Step> append =
        Combinators.combine(source, type, Arbitraries.of(true, false)).as(Step.Append::new);
    Arbitrary<Step> overtaken = Combinators.combine(source, type, time).as(Step.Overtaken::new);
    Arbitrary<Step> link =
        Combinators.combine(Arbitraries.integers().between(0, 30), entity).as(Step.Link::new);
    return Arbitraries.oneOf(
            append,
            append,
            overtaken,
            link,
            time.map(Step.Pass::new),
            Arbitraries.just(new Step.Die()))
        .list()
        .ofMaxSize(12);
  }

  @Provide
  Arbitrary<EventFilter> filters() {
    return Combinators.combine(
            Arbitraries.of("order.created", "order.*", "*.created", "*.*.*").injectNull(0.6),
            Arbitraries.of(SOURCES).injectNull(0.6),
            Arbitraries.of("w1").injectNull(0.8),
            Arbitraries.of(ENTITIES).injectNull(0.6))
        .as(EventFixture::filter);
  }
}
