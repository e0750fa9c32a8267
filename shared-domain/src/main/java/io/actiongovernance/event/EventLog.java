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
 * The logs of a tenant's envelopes in one mode (specification, Events; contract, section 7), each
 * one order without gaps, however many write to it. An envelope has a position in one of them, and
 * in the other so has each first touch of an entity by a plan of its event: a reader with a filter
 * by entity follows the touches, any other the envelopes.
 *
 * <p>A writer takes the next position by an atomic add and then fills it. One that dies in between
 * leaves a hole; readers go no further than {@link LogFrontier the settled part}, which ends before
 * the first hole, and close holes that are too old. A writer that comes late finds its position
 * closed and takes another. So what was acknowledged is never behind a reader that follows.
 *
 * <p>Thread-safe. Writes throw {@code service_unavailable} if the store stays contended; whatever
 * fails half-way is finished by calling again with the same identifiers.
 */
public final class EventLog {
  private static final int TRIES = 16;

  /** Each further one is longer by as much; all together are less than readers wait. */
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
   * Appends an envelope, durably; under an id that is there already, appends nothing.
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

  /** The event, unless there is none or its retention is over. */
  public Optional<Event> find(Partition partition, EventId id) {
    return Optional.ofNullable(events.load(partition, List.of(id)).get(id));
  }

  /** The event, if the caller may see it. */
  public Optional<Event> find(Caller caller, EventId id) {
    return find(caller.partition(), id).filter(event -> caller.sees(event.workspaceId()));
  }

  /** The event, or the outcome, if the caller may see it. */
  public Optional<Logged> findLogged(Caller caller, EventId id) {
    Optional<Event> event = find(caller.partition(), id);
    return event.isPresent()
        ? event.filter(one -> caller.sees(one.workspaceId())).map(Logged.class::cast)
        : outcomes.find(caller, id).map(Logged.class::cast);
  }

  /** The log of what became of plans. */
  public OutcomeLog outcomes() {
    return outcomes;
  }

  /** What to read of an event, for those who read it along with other items. */
  public static List<Key> keys(Partition partition, EventId id) {
    return EventLoader.keys(partition, List.of(id));
  }

  /** The event in what was read under its {@link #keys}, unless there is none or it is over. */
  public Optional<Event> read(Partition partition, EventId id, Map<Key, Item> items) {
    return Optional.ofNullable(events.load(partition, List.of(id), items).get(id));
  }

  /** What has come of an event by now. */
  public EventPlans plans(Partition partition, EventId id) {
    return store
        .get(EventItems.plansKey(partition, id))
        .map(EventItems::plans)
        .orElse(EventPlans.NONE);
  }

  /**
   * Where the event, as it was read, stands among what the filter is about: at the first touch of
   * the filter's entity by one of its plans; where none has touched it, before all touches since
   * the event came in, by clocks that may differ a little; without such a filter, at its own
   * position. An outcome stands where it does among what was ingested.
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
   * That a plan of an event has touched an entity, about to be recorded at a position taken for it.
   * The first touch of an entity becomes a position of the log, any further one nothing.
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
   * Takes the positions at which touches of these entities are recorded: one each, unless a plan is
   * known to have touched it when the event was read; to be filled without delay by {@link
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

  /** A touch was recorded by a transaction that had its writes in it. */
  public void noted(Touch touch) {
    noteSettled(touch.links, touch.taken);
  }

  /** Records a touch; one that was recorded before only costs its position, which is closed. */
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

  /** Records the touches of these entities that may have been recorded before. */
  public void link(Event event, Set<EntityKey> entityKeys) {
    touch(event, plans(event.partition(), event.id()), entityKeys).forEach(this::link);
  }

  /**
   * The writes that add a plan to what has come of its event, for the transaction that makes the
   * plan. Refused if there was to be one plan and it was made or refused before, if an entity was
   * touched before, or if a reader has given a position up. That the event exists is for the caller
   * to see to.
   *
   * @param once what of the event there is to be at most one plan of, or null
   * @param touches those to record with it
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
   * The write that says that what of the event there was to be one plan of was refused; refused if
   * it was before, or is a plan.
   */
  public Write refused(Partition partition, EventId id, String once) {
    return EventItems.came(partition, id, clock.instant(), List.of(EventItems.refused(once)));
  }

  /** An entry, and the write that is refused once the entry was made, whatever its position. */
  private record Filling(LogEntry entry, Write witness) {
    List<Write> writes(Log log) {
      return List.of(Write.insert(LogItems.entry(log, entry)), witness);
    }
  }

  /**
   * Makes an entry once.
   *
   * @return where, or empty if its witness was there already
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
          // Nobody will fill this position: close it at once, or readers would wait for it.
          store.transact(
              List.of(Write.insert(LogItems.tombstone(log, taken.position(), taken.at()))));
          return Optional.empty();
        }
        // A reader had given this position up.
        case Store.Transacted.Refused _ -> taken = head.take(log);
        // Touches of one event by several plans meet on one item.
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
