package io.actiongovernance.simulation;

import io.actiongovernance.access.Reach;
import io.actiongovernance.action.Action;
import io.actiongovernance.event.EventCursor;
import io.actiongovernance.event.EventFeed;
import io.actiongovernance.event.EventFeeds;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.EventList;
import io.actiongovernance.event.EventQuery;
import io.actiongovernance.event.EventsPage;
import io.actiongovernance.event.Included;
import io.actiongovernance.event.Logged;
import io.actiongovernance.event.NewEvent;
import io.actiongovernance.event.Order;
import io.actiongovernance.event.OutcomeEvent;
import io.actiongovernance.event.OutcomeLog;
import io.actiongovernance.event.OutcomeType;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.TellOutcomes;
import io.actiongovernance.plan.TellOutcomes.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The relay of outcomes: it tells of every change of plans and actions, in batches, late, out of
 * order and more than once; and a reader who follows all that is told meanwhile, resuming every now
 * and then.
 */
final class Telling {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final EventFilter ALL =
      EventFilter.NONE.including(Set.of(Included.PLANS, Included.ACTIONS));

  private final World world;
  private final SplittableRandom random;
  private final TellOutcomes outcomes;
  private final EventFeeds feeds;
  private final EventList list;
  private final List<EventId> followed = new ArrayList<>();
  private @Nullable List<Change> open;
  private @Nullable EventCursor cursor;
  private boolean reading;

  Telling(World world, Store store, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.outcomes =
        new TellOutcomes(store, new OutcomeLog(store, world.scheduler, world.scheduler::sleep));
    this.list = new EventList(store, world.scheduler, world.scheduler::sleep);
    this.feeds = new EventFeeds(store, world.scheduler, world.scheduler::sleep, list);
  }

  /** Makes a write, and has what it changed told of. */
  <T> T watch(List<Key> keys, Supplier<T> write) {
    Map<Key, Item> before = items(keys);
    T written = write.get();
    items(keys)
        .forEach(
            (key, item) ->
                change(Optional.ofNullable(before.get(key)), item).ifPresent(this::relay));
    return written;
  }

  private Map<Key, Item> items(List<Key> keys) {
    Map<Key, Item> items = new LinkedHashMap<>();
    keys.forEach(key -> world.inner.get(key).ifPresent(item -> items.put(key, item)));
    return items;
  }

  private static Optional<Change> change(Optional<Item> before, Item after) {
    String kind = after.textOrNull("kind");
    if ("plan".equals(kind)) {
      PlanId id = new PlanId(after.text("id"));
      return before.isEmpty()
          ? Optional.of(new Change.Proposed(id))
          : before.get().text("status").equals(after.text("status"))
              ? Optional.empty()
              : Optional.of(new Change.Disposed(id));
    }
    boolean disposed =
        "action".equals(kind)
            && after.has("disposition")
            && before.filter(item -> item.has("disposition")).isEmpty();
    return disposed
        ? Optional.of(new Change.ActionDisposed(new ActionId(after.text("id"))))
        : Optional.empty();
  }

  private void relay(Change change) {
    List<Change> batch = open;
    if (batch != null && random.nextBoolean()) {
      batch.add(change);
      return;
    }
    List<Change> fresh = new ArrayList<>(List.of(change));
    open = fresh;
    world.scheduler.after(Duration.ofMillis(random.nextInt(1, 3_000)), () -> relay(fresh));
  }

  private void relay(List<Change> batch) {
    if (open == batch) {
      open = null;
    }
    List<Change> told = List.copyOf(batch);
    boolean[] done = {false};
    world.scheduler.start(
        "tell",
        TIMEOUT,
        () -> {
          outcomes.tell(world.tenancy.partition, told);
          done[0] = true;
        },
        () -> {
          if (!done[0] || random.nextInt(4) == 0) {
            world.scheduler.after(Duration.ofMillis(random.nextInt(1, 5_000)), () -> relay(told));
          }
        });
    post();
    follow();
  }

  /** Has somebody post an event that nobody watches. */
  private void post() {
    NewEvent event =
        new NewEvent(
            EventId.next(world.ids),
            world.tenancy.partition,
            null,
            null,
            "shop",
            "nobody.watches",
            CorrelationId.next(world.ids),
            Json.object(),
            null,
            null,
            RequestId.next(world.ids),
            world.tenancy.caller.principal(),
            null);
    world.scheduler.start("post", TIMEOUT, () -> world.eventLog.append(event), () -> {});
  }

  /** Has the reader look, unless it does. */
  private void follow() {
    if (!reading && random.nextBoolean()) {
      reading = true;
      world.scheduler.start("read", TIMEOUT, this::read, () -> reading = false);
    }
  }

  private void read() {
    EventCursor from = cursor == null ? EventCursor.of("0||0|0|0|0|0") : cursor;
    try (EventFeed feed = feeds.open(world.tenancy.partition, Reach.WHOLE, ALL, from)) {
      for (int looks = 0; looks < 3; looks++) {
        for (EventsPage.Listed listed : feed.next().events()) {
          followed.add(listed.event().id());
          cursor = listed.cursor();
        }
        world.scheduler.sleep(Duration.ofMillis(250));
      }
    }
  }

  /** What is wrong when all is over; empty if nothing is. */
  List<String> violations(Iterable<Plan> plans, Map<ActionId, Action> actions) {
    List<String> violations = new ArrayList<>();
    for (int looks = 0; looks < 4; looks++) {
      world.scheduler.sleep(Duration.ofMinutes(1));
      read();
    }
    List<Logged> ascending = listed(Order.ASC);
    List<EventId> ids = ascending.stream().map(Logged::id).toList();
    if (!listed(Order.DESC).reversed().stream().map(Logged::id).toList().equals(ids)) {
      violations.add(
          "listed "
              + ids
              + ", the other way "
              + listed(Order.DESC).reversed().stream().map(Logged::id).toList());
    }
    if (!followed.equals(ids)) {
      violations.add("followed " + followed + ", listed " + ids);
    }
    Map<PlanId, List<OutcomeEvent>> told = new HashMap<>();
    for (Logged logged : ascending) {
      if (logged instanceof OutcomeEvent outcome) {
        told.computeIfAbsent(outcome.outcome().planId(), _ -> new ArrayList<>()).add(outcome);
      }
    }
    for (Plan plan : plans) {
      List<String> expected = new ArrayList<>(List.of("plan.proposed"));
      Set<String> disposed = new HashSet<>();
      plan.terms().actionIds().stream()
          .filter(id -> Objects.requireNonNull(actions.get(id)).disposal() != null)
          .forEach(id -> disposed.add(id.value()));
      disposed.forEach(_ -> expected.add("action.disposed"));
      if (plan.disposedAt() != null) {
        expected.add("plan.disposed");
      }
      List<OutcomeEvent> of =
          told.getOrDefault(plan.id(), List.of()).stream()
              .filter(outcome -> isPlanned(plan, outcome))
              .toList();
      List<String> types = of.stream().map(OutcomeEvent::eventType).toList();
      if (!types.equals(expected)) {
        violations.add(plan.id() + " told as " + types + ", not " + expected);
      }
      if (new HashSet<>(of.stream().map(OutcomeEvent::id).toList()).size() != of.size()) {
        violations.add(plan.id() + " told twice: " + of);
      }
    }
    return violations;
  }

  /** Whether it is of the plan or one of its own actions, and not of an undo. */
  private static boolean isPlanned(Plan plan, OutcomeEvent outcome) {
    return outcome.type() != OutcomeType.ACTION_DISPOSED
        || plan.terms().actionIds().stream()
            .anyMatch(
                id -> id.value().equals(outcome.outcome().payload().path("action_id").asText()));
  }

  private List<Logged> listed(Order order) {
    EventQuery query = new EventQuery(world.tenancy.partition, Reach.WHOLE, ALL, order, null, null);
    List<Logged> all = new ArrayList<>();
    @Nullable EventCursor from = null;
    while (true) {
      EventsPage page = list.list(query, 3, from);
      page.items().forEach(listed -> all.add(listed.event()));
      if (!page.more()) {
        return all;
      }
      from = page.next();
    }
  }
}
