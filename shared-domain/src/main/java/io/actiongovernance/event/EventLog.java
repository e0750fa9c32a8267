package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.ErrorCode;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The log of a tenant's envelopes in one mode (specification, Events; contract, section 7): one
 * order without gaps, however many write to it. An envelope has a position, and so has each first
 * touch of an entity by a plan of its event.
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
  /** How long events, and cursors into their log, are kept (contract, section 10). */
  public static final Duration RETENTION = Duration.ofDays(30);

  private static final int TRIES = 16;
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Store store;
  private final InstantSource clock;
  private final Sleeper sleeper;
  private final LogHead head;
  private final LogFrontier frontier;
  private final EventLoader events;

  public EventLog(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.clock = clock;
    this.sleeper = sleeper;
    this.head = new LogHead(store, clock);
    this.frontier = new LogFrontier(store, clock, sleeper);
    this.events = new EventLoader(store, clock);
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
              LogEntry.of(event, bytes), EventItems.event(event, apart ? null : payload));
        };
    Partition partition = envelope.partition();
    return fill(partition, head.take(partition), filling)
        .map(envelope::at)
        .or(() -> find(envelope.partition(), envelope.id()))
        .orElseThrow(() -> new IllegalStateException("The event is gone: " + envelope.id()));
  }

  /** The event, unless there is none or its retention is over. */
  public Optional<Event> find(Partition partition, EventId id) {
    return Optional.ofNullable(events.load(partition, List.of(id)).get(id));
  }

  /** What to read of an event, for those who read it along with other items. */
  public static List<Key> keys(Partition partition, EventId id) {
    return EventLoader.keys(partition, List.of(id));
  }

  /** The event in what was read under its {@link #keys}, unless there is none or it is over. */
  public Optional<Event> read(Partition partition, EventId id, Map<Key, Item> items) {
    return Optional.ofNullable(events.load(partition, List.of(id), items).get(id));
  }

  /**
   * Where the event stands among what the filter is about: at the first touch of the filter's
   * entity by one of its plans, else at its own position.
   */
  public EventCursor placeOf(Event event, EventFilter filter) {
    String entity = filter.entity();
    Optional<Item> touched =
        entity == null
            ? Optional.empty()
            : store.get(EventItems.touchedKey(event.partition(), event.id(), entity));
    return EventCursor.at(touched.map(EventItems::position).orElse(event.position()));
  }

  /**
   * That a plan of an event has touched an entity, about to be recorded at a position taken for it.
   * The first touch of an entity becomes a position of the log, any further one nothing.
   */
  public static final class Touch {
    private final Partition partition;
    private final LogHead.Taken taken;
    private final Function<LogHead.Taken, Filling> filling;

    private Touch(
        Partition partition, LogHead.Taken taken, Function<LogHead.Taken, Filling> filling) {
      this.partition = partition;
      this.taken = taken;
      this.filling = filling;
    }

    /**
     * The writes that record it, for the transaction that makes the plan; refused if the entity was
     * touched before, or a reader has given the position up.
     */
    public List<Write> writes() {
      return filling.apply(taken).writes(partition);
    }
  }

  /**
   * Takes the positions at which touches of these entities are recorded: one each, to be filled
   * without delay by its {@link Touch#writes} and {@link #noted}, or by {@link #link(Touch)}.
   */
  public List<Touch> touch(Event event, Set<String> entityKeys) {
    return new TreeSet<>(entityKeys).stream().map(entityKey -> touch(event, entityKey)).toList();
  }

  private Touch touch(Event event, String entityKey) {
    Partition partition = event.partition();
    LogEntry envelope = LogEntry.of(event, EventItems.bytes(event.payloadText()));
    Key touched = EventItems.touchedKey(partition, event.id(), entityKey);
    return new Touch(
        partition,
        head.take(partition),
        taken ->
            new Filling(
                envelope.touching(entityKey, taken),
                EventItems.touched(touched, taken.position(), event.createdAt())));
  }

  /** A touch was recorded by a transaction that had its writes in it. */
  public void noted(Touch touch) {
    noteSettled(touch.partition, touch.taken);
  }

  /** Records a touch; one that was recorded before only costs its position, which is closed. */
  public void link(Touch touch) {
    fill(touch.partition, touch.taken, touch.filling);
  }

  /** Records the touches of these entities that may have been recorded before. */
  public void link(Event event, Set<String> entityKeys) {
    for (String entityKey : new TreeSet<>(entityKeys)) {
      Key touched = EventItems.touchedKey(event.partition(), event.id(), entityKey);
      if (store.get(touched).isEmpty()) {
        link(touch(event, entityKey));
      }
    }
  }

  /**
   * The write that adds a plan to its event's {@code plan_ids}: always done, so that it can join
   * the transaction that makes the plan. That the event exists is for the caller to see to.
   */
  public Write planned(Partition partition, EventId id, PlanId planId) {
    return Write.update(
        EventItems.plansKey(partition, id),
        Condition.always(),
        Change.include(EventItems.PLANS, Set.of(planId.value())),
        Change.set(Table.EXPIRES, LogItems.expires(clock.instant())));
  }

  /** An entry, and the item that is there once the entry was made, whatever its position. */
  private record Filling(LogEntry entry, Item witness) {
    List<Write> writes(Partition partition) {
      return List.of(Write.insert(LogItems.entry(partition, entry)), Write.insert(witness));
    }
  }

  /**
   * Makes an entry once.
   *
   * @return where, or empty if its witness was there already
   */
  private Optional<LogHead.Taken> fill(
      Partition partition, LogHead.Taken first, Function<LogHead.Taken, Filling> filling) {
    LogHead.Taken taken = first;
    for (int tries = 0; tries < TRIES; tries++) {
      switch (store.transact(filling.apply(taken).writes(partition))) {
        case Store.Transacted.Done _ -> {
          noteSettled(partition, taken);
          return Optional.of(taken);
        }
        case Store.Transacted.Refused refused when refused.of(1).isPresent() -> {
          // Nobody will fill this position: close it at once, or readers would wait for it.
          store.transact(
              List.of(Write.insert(LogItems.tombstone(partition, taken.position(), taken.at()))));
          return Optional.empty();
        }
        // A reader had given this position up.
        case Store.Transacted.Refused _ -> taken = head.take(partition);
        case Store.Transacted.Contended _ -> sleeper.sleep(PAUSE);
      }
    }
    throw new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The event log is contended.");
  }

  private void noteSettled(Partition partition, LogHead.Taken taken) {
    if (taken.position() % LogFrontier.NOTED_EVERY == 0) {
      frontier.settled(partition);
    }
  }
}
