package io.actiongovernance.event;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a tenant's envelopes in one mode (specification, Events; contract, section 7). Each
 * log is one order without gaps, with any number of writers. An envelope has a position in one log;
 * each first touch of an entity by a plan of its event has a position in the other. A reader with a
 * filter by entity follows the touches, any other reader the envelopes.
 *
 * <p>A writer takes the next position by an atomic add and then fills it. A writer that dies in
 * between leaves a hole. Readers stop at the end of {@link LogFrontier the settled part}, before
 * the first hole, and close holes that are too old. A late writer finds its position closed and
 * takes another. So an acknowledged event never appears behind a reader that follows.
 *
 * <p>Thread-safe. Writes throw {@code service_unavailable} if the store stays contended. To finish
 * a write that failed midway, call again with the same identifiers.
 */
public final class EventLog {
  private static final int TRIES = 16;

  /**
   * First pause, by which each further pause is longer. The sum of all pauses is shorter than
   * readers wait.
   */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

  private final Store store;
  private final InstantSource clock;
  private final Sleeper sleeper;
  private final LogHead head;
  private final LogFrontier frontier;
  private final LogTimes times;
  private final EventLoader events;
  private final OutcomeLog outcomes;
  private final MergedFrontier merged;

  public EventLog(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.clock = clock;
    this.sleeper = sleeper;
    this.head = new LogHead(store, clock);
    this.frontier = new LogFrontier(store, clock, sleeper);
    this.times = new LogTimes(store);
    this.events = new EventLoader(store, clock);
    this.outcomes = new OutcomeLog(store, clock, sleeper);
    this.merged = new MergedFrontier(store, clock, sleeper);
  }

  /**
   * Appends an envelope durably. Appends nothing if an envelope with its id is already in the log.
   *
   * @return the event as it is in the log
   */
  public Event append(NewEvent envelope) {
    String payload = PayloadText.of(envelope.payload());
    int bytes = EventItems.bytes(payload);
    boolean apart = bytes > EventItems.LARGE;
    if (apart) {
      store.write(
          Write.put(
              EventItems.payload(envelope.partition(), envelope.id(), payload, clock.instant()),
              Condition.always()));
    }
    Function<LogHead.Taken, Filling> filling =
        taken -> {
          Event event = envelope.at(taken);
          return new Filling(
              LogEntry.of(event, bytes),
              Write.insert(EventItems.event(event, apart ? null : payload)));
        };
    Log envelopes = Log.of(envelope.partition(), Log.Kind.ENVELOPES);
    return fill(envelopes, head.take(envelopes), filling)
        .map(envelope::at)
        .or(() -> find(envelope.partition(), envelope.id()))
        .orElseThrow(() -> new IllegalStateException("The event is gone: " + envelope.id()));
  }

  /** Returns the event; empty if it does not exist or its retention has ended. */
  public Optional<Event> find(Partition partition, EventId id) {
    return Optional.ofNullable(events.load(partition, List.of(id)).get(id));
  }

  public Optional<Event> find(Caller caller, EventId id) {
    return find(caller.partition(), id).filter(event -> caller.sees(event.workspaceId()));
  }

  /** Returns the event or the outcome, if the caller may see it. */
  public Optional<Logged> findLogged(Caller caller, EventId id) {
    Optional<Event> event = find(caller.partition(), id);
    return event.isPresent()
        ? event.filter(one -> caller.sees(one.workspaceId())).map(Logged.class::cast)
        : outcomes.find(caller, id).map(Logged.class::cast);
  }

  public OutcomeLog outcomes() {
    return outcomes;
  }

  /** Returns the keys of an event's items, for callers that read them along with other items. */
  public static List<Key> keys(Partition partition, EventId id) {
    return EventLoader.keys(partition, List.of(id));
  }

  /**
   * Assembles the event from items that were read under its {@link #keys}; empty if it does not
   * exist or its retention has ended.
   */
  public Optional<Event> read(Partition partition, EventId id, Map<Key, Item> items) {
    return Optional.ofNullable(events.load(partition, List.of(id), items).get(id));
  }

  public EventPlans plans(Partition partition, EventId id) {
    return store
        .get(EventItems.plansKey(partition, id))
        .map(EventItems::plans)
        .orElse(EventPlans.NONE);
  }

  /**
   * Returns the event's place, as it was read, among the entries of the filter. Without an entity
   * filter, the place is the event's own position. With one, it is the first touch of that entity
   * by a plan of the event. If no plan has touched the entity, the place is before all touches
   * since the event was ingested, by clocks that may differ a little. The place of an outcome is
   * its place among ingested events.
   */
  public EventCursor placeOf(Logged logged, EventFilter filter) {
    return switch (logged) {
      case Event event -> placeOf(event, filter);
      case OutcomeEvent outcome -> {
        Place place = new Place(outcome.slot().stand().in(filter.log()), outcome.slot().position());
        yield filter.includes() ? EventCursor.at(place, true) : EventCursor.at(place.position());
      }
    };
  }

  private EventCursor placeOf(Event event, EventFilter filter) {
    String entity = filter.entity();
    long position =
        entity == null
            ? event.position()
            : event.plans().touched(entity).orElseGet(() -> touchesBefore(event));
    if (!filter.includes()) {
      return EventCursor.at(position);
    }
    Log ingested = Log.of(event.partition(), filter.log());
    return EventCursor.at(new Place(position, merged.before(ingested, position)), false);
  }

  private long touchesBefore(Event event) {
    Log links = links(event.partition());
    return times.lastBefore(
        links, event.createdAt().minus(LogFrontier.PATIENCE), frontier.settled(links));
  }

  /**
   * A touch of an entity by a plan of an event, which is about to be recorded at a position taken
   * for it. The first touch of an entity becomes a position of the log; later touches are not
   * recorded.
   */
  public static final class Touch {
    private final Log links;
    private final LogEntry envelope;
    private final EntityKey entityKey;
    private final LogHead.Taken taken;

    private Touch(Log links, LogEntry envelope, EntityKey entityKey, LogHead.Taken taken) {
      this.links = links;
      this.envelope = envelope;
      this.entityKey = entityKey;
      this.taken = taken;
    }

    private LogEntry at(LogHead.Taken taken) {
      return envelope.touching(entityKey.value(), taken);
    }

    private Change first(LogHead.Taken taken) {
      return EventItems.touched(entityKey.value(), taken.position());
    }
  }

  /**
   * Takes positions at which to record touches of these entities. Each entity gets one, unless a
   * plan is known to have touched it when the event was read. Fill them without delay by {@link
   * #planned} and {@link #noted}, or by {@link #link(Touch)}.
   */
  public List<Touch> touch(Event event, Set<EntityKey> entityKeys) {
    return touch(event, event.plans(), entityKeys).toList();
  }

  private Stream<Touch> touch(Event event, EventPlans known, Set<EntityKey> entityKeys) {
    Log links = links(event.partition());
    LogEntry envelope = LogEntry.of(event, EventItems.bytes(event.payloadText()));
    return new TreeSet<>(entityKeys)
        .stream()
            .filter(entityKey -> known.touched(entityKey.value()).isEmpty())
            .map(entityKey -> new Touch(links, envelope, entityKey, head.take(links)));
  }

  private static Log links(Partition partition) {
    return Log.of(partition, Log.Kind.LINKS);
  }

  /** Reports that a transaction with the touch's writes has recorded the touch. */
  public void noted(Touch touch) {
    noteSettled(touch.links, touch.taken);
  }

  /** Records a touch. If it was recorded before, only closes its position. */
  public void link(Touch touch) {
    fill(
        touch.links,
        touch.taken,
        taken ->
            new Filling(
                touch.at(taken),
                EventItems.came(
                    touch.links.partition(),
                    touch.envelope.eventId(),
                    clock.instant(),
                    List.of(touch.first(taken)))));
  }

  /** Records touches of these entities, some of which may have been recorded before. */
  public void link(Event event, Set<EntityKey> entityKeys) {
    touch(event, plans(event.partition(), event.id()), entityKeys).forEach(this::link);
  }

  /**
   * Returns the writes that add a plan to the outcome of its event, for the transaction that
   * creates the plan. They are refused if the only possible plan was already made or refused, if an
   * entity was already touched, or if a reader has closed a position. The caller must ensure that
   * the event exists.
   *
   * @param once the name of a proposal that may become at most one plan of the event, or null
   * @param touches the touches to record with it
   */
  public List<Write> planned(
      Partition partition, EventId id, PlanId planId, @Nullable String once, List<Touch> touches) {
    List<Write> writes = new ArrayList<>();
    List<Change> firsts = new ArrayList<>();
    for (Touch touch : touches) {
      writes.add(Write.insert(LogItems.entry(touch.links, touch.at(touch.taken))));
      firsts.add(touch.first(touch.taken));
    }
    if (once != null) {
      firsts.add(EventItems.proposed(once, planId));
    }
    Change plan = Change.include(EventItems.PLANS, Set.of(planId.value()));
    writes.add(EventItems.came(partition, id, clock.instant(), firsts, plan));
    return writes;
  }

  /**
   * Returns the write that records the refusal of a proposal that may become at most one plan. The
   * write is refused if the proposal was already refused or has become a plan.
   */
  public Write refused(Partition partition, EventId id, String once) {
    return EventItems.came(partition, id, clock.instant(), List.of(EventItems.refused(once)));
  }

  /**
   * An entry, and a witness: the write that is refused if the entry has already been made at any
   * position.
   */
  private record Filling(LogEntry entry, Write witness) {
    List<Write> writes(Log log) {
      return List.of(Write.insert(LogItems.entry(log, entry)), witness);
    }
  }

  /**
   * Makes an entry once.
   *
   * @return its position, or empty if its witness already existed
   */
  private Optional<LogHead.Taken> fill(
      Log log, LogHead.Taken first, Function<LogHead.Taken, Filling> filling) {
    LogHead.Taken taken = first;
    for (int tries = 0; tries < TRIES; tries++) {
      switch (store.transact(filling.apply(taken).writes(log))) {
        case Store.Transacted.Done _ -> {
          noteSettled(log, taken);
          return Optional.of(taken);
        }
        case Store.Transacted.Refused refused when refused.of(1).isPresent() -> {
          // Nobody will fill this position. It is closed at once, because readers would wait for
          // it.
          store.transact(
              List.of(Write.insert(LogItems.tombstone(log, taken.position(), taken.at()))));
          return Optional.empty();
        }
        // A reader has closed this position.
        case Store.Transacted.Refused _ -> taken = head.take(log);
        // Touches of one event by several plans update one item.
        case Store.Transacted.Contended _ -> sleeper.sleep(FIRST_PAUSE.multipliedBy(tries + 1L));
      }
    }
    throw new StoreUnavailable("The event log is contended.", null);
  }

  private void noteSettled(Log log, LogHead.Taken taken) {
    if (taken.position() % LogFrontier.NOTED_EVERY == 0) {
      frontier.settled(log);
    }
  }
}
