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
    return fill(envelope.partition(), filling)
        .map(envelope::at)
        .or(() -> find(envelope.partition(), envelope.id()))
        .orElseThrow(() -> new IllegalStateException("The event is gone: " + envelope.id()));
  }

  /** The event, unless there is none or its retention is over. */
  public Optional<Event> find(Partition partition, EventId id) {
    return Optional.ofNullable(events.load(partition, List.of(id)).get(id));
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
   * Records that a plan of the event has touched these entities. The first touch of an entity
   * becomes a position of the log, any further one nothing.
   *
   * @param again whether they may have been recorded before; if they were without this being said,
   *     it costs a position, which is closed
   */
  public void link(Event event, Set<String> entityKeys, boolean again) {
    Partition partition = event.partition();
    LogEntry envelope = LogEntry.of(event, EventItems.bytes(event.payloadText()));
    for (String entityKey : new TreeSet<>(entityKeys)) {
      Key touched = EventItems.touchedKey(partition, event.id(), entityKey);
      if (again && store.get(touched).isPresent()) {
        continue;
      }
      fill(
          partition,
          taken ->
              new Filling(
                  envelope.touching(entityKey, taken),
                  EventItems.touched(touched, taken.position(), event.createdAt())));
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
  private record Filling(LogEntry entry, Item witness) {}

  /**
   * Makes an entry once.
   *
   * @return where, or empty if its witness was there already
   */
  private Optional<LogHead.Taken> fill(
      Partition partition, Function<LogHead.Taken, Filling> filling) {
    LogHead.Taken taken = head.take(partition);
    for (int tries = 0; tries < TRIES; tries++) {
      Filling made = filling.apply(taken);
      List<Write> writes =
          List.of(
              Write.insert(LogItems.entry(partition, made.entry())), Write.insert(made.witness()));
      switch (store.transact(writes)) {
        case Store.Transacted.Done _ -> {
          if (taken.position() % LogFrontier.NOTED_EVERY == 0) {
            frontier.settled(partition);
          }
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
}
