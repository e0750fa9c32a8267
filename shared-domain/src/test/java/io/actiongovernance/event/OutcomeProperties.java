package io.actiongovernance.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Reach;
import io.actiongovernance.event.HookedStore.Died;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EntityKeys;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/**
 * What was ingested and outcomes are one order, in which nothing is missed or repeated wherever a
 * reader resumes (contract for agents, section 3).
 */
final class OutcomeProperties {
  private static final List<String> ENTITIES = List.of("order:1", "order:2");
  private static final OperatorId DESK = new OperatorId("op_desk");

  /** Something that happens to the logs. */
  sealed interface Step {
    record Append(boolean inWorkspace) implements Step {}

    record Link(int event, int entity) implements Step {}

    /** Outcomes of a plan are told, from the first up to so many of them. */
    record Tell(int plan, int upTo) implements Step {}

    /** A relay dies at one of its calls. */
    record DieTelling(int plan, int upTo, int call, boolean before) implements Step {}

    /** Another relay tells the same in the middle, and time passes. */
    record TellAtOnce(int plan, int upTo, int call, Duration passing) implements Step {}

    /** A writer of envelopes takes a position and dies. */
    record Die() implements Step {}

    /** Time passes; back, when clocks disagree. */
    record Pass(Duration time) implements Step {}
  }

  /** The logs, and what was acknowledged. */
  private static final class Model {
    private final EventFixture fixture;
    private final List<Event> appended = new ArrayList<>();
    private final Set<EventId> acknowledged = new HashSet<>();

    Model(long seed) {
      this.fixture = new EventFixture(new InMemoryStore(), new SplittableRandom(seed));
    }

    void run(Step step) {
      switch (step) {
        case Step.Append(boolean inWorkspace) -> {
          Event event =
              fixture.log.append(
                  fixture.envelope("shop", "order.created", inWorkspace ? "w1" : null, "{}"));
          appended.add(event);
          acknowledged.add(event.id());
        }
        case Step.Link(int event, int entity) -> {
          if (!appended.isEmpty()) {
            fixture.log.link(
                appended.get(event % appended.size()), EntityKeys.of(ENTITIES.get(entity)));
          }
        }
        case Step.Tell(int plan, int upTo) -> {
          told(fixture.store, Hook.NONE, Hook.NONE, chain(plan, upTo));
        }
        case Step.DieTelling(int plan, int upTo, int call, boolean before) -> {
          Hook die = Hook.dieAt(call);
          try {
            told(
                fixture.store,
                before ? die : Hook.NONE,
                before ? Hook.NONE : die,
                chain(plan, upTo));
          } catch (Died e) {
            // It is finished by the next that tells of this plan, or never.
          }
        }
        case Step.TellAtOnce(int plan, int upTo, int call, Duration passing) ->
            told(
                fixture.store,
                at -> {
                  if (at == call) {
                    told(fixture.store, Hook.NONE, Hook.NONE, chain(plan, 4));
                    fixture.time.pass(passing);
                    list(Order.DESC, all(null), 3, null);
                  }
                },
                Hook.NONE,
                chain(plan, upTo));
        case Step.Die _ -> {
          try {
            fixture
                .logOver(new HookedStore(fixture.store, Hook.dieAt(1), Hook.NONE))
                .append(fixture.envelope());
          } catch (Died e) {
            // Its position stays a hole.
          }
        }
        case Step.Pass(Duration passed) -> fixture.time.pass(passed);
      }
    }

    private void told(Store store, Hook before, Hook after, List<NewOutcome> chain) {
      new OutcomeLog(new HookedStore(store, before, after), fixture.time, fixture.time)
          .append(fixture.partition, List.of(chain));
      chain.forEach(outcome -> acknowledged.add(outcome.id()));
    }

    private static List<NewOutcome> chain(int plan, int upTo) {
      return outcomes(plan).subList(0, upTo);
    }

    List<Logged> list(Order order, EventFilter filter, int limit, @Nullable EventCursor from) {
      List<Logged> all = new ArrayList<>();
      @Nullable EventCursor cursor = from;
      while (true) {
        EventsPage page = fixture.list.list(fixture.query(order, filter), limit, cursor);
        page.items().forEach(listed -> all.add(listed.event()));
        cursor = page.next();
        if (!page.more()) {
          end = cursor;
          return all;
        }
      }
    }

    EventCursor end = EventCursor.at(0);
  }

  /** The outcomes of a plan of two actions. */
  private static List<NewOutcome> outcomes(int plan) {
    return List.of(
        outcome(plan, OutcomeType.PLAN_PROPOSED, 0),
        outcome(plan, OutcomeType.ACTION_DISPOSED, 1),
        outcome(plan, OutcomeType.ACTION_DISPOSED, 2),
        outcome(plan, OutcomeType.PLAN_DISPOSED, 3));
  }

  private static NewOutcome outcome(int plan, OutcomeType type, int number) {
    return new NewOutcome(
        new EventId("ev_" + plan + "-" + number),
        type,
        new PlanId("pl_" + plan),
        DESK,
        plan == 0 ? "w1" : null,
        "operator:desk",
        new CorrelationId("co_" + plan),
        Json.object(),
        NewOutcome.hashed(EntityKeys.of(ENTITIES.get(plan % 2))));
  }

  private static EventFilter all(@Nullable String type) {
    EventFilter filter = new EventFilter(type == null ? null : Glob.parse(type), null, null, null);
    return filter.including(Set.of(Included.values()));
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void acknowledgedEventsAreListedOnceAndPlansKeepTheirOrder(
      @ForAll("steps") List<Step> history,
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll long seed) {
    Model model = new Model(seed);
    history.forEach(model::run);
    List<EventId> ids = ids(model.list(Order.ASC, all(null), limit, null));
    assertThat(ids).doesNotHaveDuplicates().containsAll(model.acknowledged);
    assertThat(ids(model.list(Order.DESC, all(null), limit, null)).reversed()).isEqualTo(ids);
    for (int plan = 0; plan < 3; plan++) {
      int of = plan;
      List<OutcomeType> told =
          model.list(Order.ASC, all(null), limit, null).stream()
              .filter(OutcomeEvent.class::isInstance)
              .map(OutcomeEvent.class::cast)
              .filter(outcome -> outcome.outcome().planId().value().equals("pl_" + of))
              .map(OutcomeEvent::type)
              .toList();
      assertThat(told).isSorted();
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void everyItemsCursorNamesItsPlaceInBothOrders(
      @ForAll("steps") List<Step> history,
      @ForAll("filters") EventFilter filter,
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll long seed) {
    Model model = new Model(seed);
    history.forEach(model::run);
    List<EventId> ascending = ids(model.list(Order.ASC, filter, limit, null));
    EventsPage all = model.fixture.list.list(model.fixture.query(Order.ASC, filter), 100, null);
    for (int at = 0; at < all.items().size(); at++) {
      EventCursor cursor = EventCursor.of(all.items().get(at).cursor().text());
      assertThat(ids(model.list(Order.ASC, filter, limit, cursor)))
          .isEqualTo(ascending.subList(at + 1, ascending.size()));
      assertThat(ids(model.list(Order.DESC, filter, limit, cursor)).reversed())
          .isEqualTo(ascending.subList(0, at));
      Logged event = all.items().get(at).event();
      if (filter.entity() == null) {
        EventCursor place = model.fixture.log.placeOf(event, filter);
        assertThat(ids(model.list(Order.ASC, filter, limit, place)))
            .isEqualTo(ascending.subList(at + 1, ascending.size()));
      }
    }
    EventsPage backwards =
        model.fixture.list.list(model.fixture.query(Order.DESC, filter), 100, null);
    assertThat(backwards.items().reversed().stream().map(EventsPage.Listed::cursor).toList())
        .isEqualTo(all.items().stream().map(EventsPage.Listed::cursor).toList());
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void backfillThenAFeedYieldsTheOneOrder(
      @ForAll("steps") List<Step> history,
      @ForAll("steps") List<Step> afterwards,
      @ForAll("filters") EventFilter filter,
      @ForAll Order order,
      @ForAll @IntRange(min = 1, max = 4) int limit,
      @ForAll long seed) {
    Model model = new Model(seed);
    EventFixture fixture = model.fixture;
    history.forEach(model::run);
    List<EventId> got = new ArrayList<>(ids(model.list(order, filter, limit, null)));
    if (order == Order.DESC) {
      Collections.reverse(got);
    }
    EventFeeds feeds = new EventFeeds(fixture.store, fixture.time, fixture.time, fixture.list);
    try (EventFeed feed = feeds.open(fixture.partition, Reach.WHOLE, filter, model.end);
        EventFeed other = feeds.open(fixture.partition, Reach.WHOLE, filter, null)) {
      List<EventId> fed = new ArrayList<>();
      for (Step step : afterwards) {
        model.run(step);
        read(feed, got);
        read(other, fed);
      }
      for (int again = 0; again < 3; again++) {
        fixture.time.pass(Duration.ofMinutes(1));
        read(feed, got);
        read(other, fed);
      }
      assertThat(got).endsWith(fed.toArray(EventId[]::new));
    }
    assertThat(got).isEqualTo(ids(model.list(Order.ASC, filter, limit, null)));
    Set<EventId> missing =
        filter.equals(all(null))
            ? model.acknowledged.stream()
                .filter(id -> !got.contains(id))
                .collect(Collectors.toSet())
            : Set.of();
    assertThat(missing).isEmpty();
  }

  private static void read(EventFeed feed, List<EventId> into) {
    EventFeed.Next next;
    do {
      next = feed.next();
      next.events().forEach(listed -> into.add(listed.event().id()));
    } while (next.more());
  }

  private static List<EventId> ids(List<Logged> events) {
    return events.stream().map(Logged::id).toList();
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> plan = Arbitraries.integers().between(0, 2);
    Arbitrary<Integer> upTo = Arbitraries.integers().between(1, 4);
    Arbitrary<Integer> call = Arbitraries.integers().between(0, 10);
    Arbitrary<Duration> time =
        Arbitraries.of(-3000, 0, 1, 1500, 2500, 20_000, 70_000).map(Duration::ofMillis);
    Arbitrary<Step> append = Arbitraries.of(true, false).map(Step.Append::new);
    Arbitrary<Step> link =
        Combinators.combine(
                Arbitraries.integers().between(0, 30), Arbitraries.integers().between(0, 1))
            .as(Step.Link::new);
    return Arbitraries.oneOf(
            append,
            append,
            link,
            Combinators.combine(plan, upTo).as(Step.Tell::new),
            Combinators.combine(plan, upTo).as(Step.Tell::new),
            Combinators.combine(plan, upTo, call, Arbitraries.of(true, false))
                .as(Step.DieTelling::new),
            Combinators.combine(plan, upTo, call, time).as(Step.TellAtOnce::new),
            time.map(Step.Pass::new),
            Arbitraries.just(new Step.Die()))
        .list()
        .ofMaxSize(12);
  }

  @Provide
  Arbitrary<EventFilter> filters() {
    return Combinators.combine(
            Arbitraries.of("order.created", "plan.*", "*.disposed").injectNull(0.6),
            Arbitraries.of("shop", "operator:desk").injectNull(0.7),
            Arbitraries.of("w1").injectNull(0.8),
            Arbitraries.of(ENTITIES).injectNull(0.6),
            Arbitraries.of(Included.class).set().ofMinSize(1))
        .as(
            (type, source, workspace, entity, include) ->
                EventFixture.filter(type, source, workspace, entity).including(include));
  }
}
