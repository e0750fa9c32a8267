package io.actiongovernance.event;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The log of the outcomes of a tenant's plans in one mode (contract for agents, section 3). It
 * works like the logs of {@link EventLog}, with its own head and positions.
 *
 * <p>An outcome is given a place, under a condition on its identifier, and is then written there.
 * If a writer finds the place empty, it writes the outcome there. If a reader has closed the place,
 * the outcome is given another. So the outcome is in the log once, regardless of which writers
 * write it and how often. A later call finishes one that failed midway. An outcome gets a place
 * only after the earlier outcomes of its plan have their final places, and its place is after
 * theirs. That keeps the order of a plan's outcomes. Thread-safe.
 */
public final class OutcomeLog {
  private static final int TRIES = 16;

  private final Store store;
  private final InstantSource clock;
  private final OutcomesHead head;
  private final LogFrontier frontier;

  public OutcomeLog(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.clock = clock;
    this.head = new OutcomesHead(store, clock);
    this.frontier = new LogFrontier(store, clock, sleeper);
  }

  /**
   * Appends the outcomes that are not in the log yet.
   *
   * @param chains the outcomes of plans, each plan's outcomes in their required order
   */
  public void append(Partition partition, List<List<NewOutcome>> chains) {
    List<EventId> ids = chains.stream().flatMap(List::stream).map(NewOutcome::id).toList();
    Map<EventId, Slot> placed = placed(partition, ids);
    Appending appending =
        new Appending(
            partition,
            placed,
            filled(partition, placed),
            new ArrayDeque<>(
                placed.size() == ids.size()
                    ? List.of()
                    : head.take(partition, ids.size() - placed.size())));
    chains.forEach(appending::append);
    appending.closeUnused();
  }

  private Map<EventId, Slot> placed(Partition partition, List<EventId> ids) {
    Map<Key, EventId> keys = new LinkedHashMap<>();
    ids.forEach(id -> keys.put(OutcomeItems.placeKey(partition, id), id));
    Map<EventId, Slot> placed = new HashMap<>();
    for (Item item : store.getAll(List.copyOf(keys.keySet()))) {
      placed.put(keys.get(item.key()), OutcomeItems.slot(item));
    }
    return placed;
  }

  private Map<Key, Item> filled(Partition partition, Map<EventId, Slot> placed) {
    Log log = OutcomeItems.log(partition);
    return placed.isEmpty()
        ? Map.of()
        : store.getByKey(
            placed.values().stream().map(slot -> LogItems.key(log, slot.position())).toList());
  }

  private final class Appending {
    private final Partition partition;
    private final Log log;
    private final Map<EventId, Slot> placed;
    private final Map<Key, Item> filled;
    private final Deque<Slot> taken;

    Appending(
        Partition partition, Map<EventId, Slot> placed, Map<Key, Item> filled, Deque<Slot> taken) {
      this.partition = partition;
      this.log = OutcomeItems.log(partition);
      this.placed = placed;
      this.filled = filled;
      this.taken = taken;
    }

    void append(List<NewOutcome> chain) {
      long floor = 0;
      for (NewOutcome outcome : chain) {
        floor = Math.max(floor, append(outcome, floor));
      }
    }

    /** Returns the outcome's final position. */
    private long append(NewOutcome outcome, long floor) {
      @Nullable Slot slot = placed.get(outcome.id());
      if (slot == null) {
        slot = place(outcome, floor);
      } else {
        @Nullable Item found = filled.get(LogItems.key(log, slot.position()));
        if (found != null && OutcomeItems.isOf(found, outcome.id())) {
          return slot.position();
        }
      }
      for (int tries = 0; tries < TRIES; tries++) {
        if (fill(outcome, slot)) {
          noteSettled(slot);
          return slot.position();
        }
        // A reader has closed this position, and perhaps other positions that were taken with it.
        Slot other = head.take(partition, 1).getFirst();
        slot =
            switch (store.write(OutcomeItems.move(partition, outcome.id(), slot, other))) {
              case Store.Written.Done _ -> other;
              case Store.Written.Refused(var found) -> elsewhere(other, found);
            };
      }
      throw new StoreUnavailable("The log of outcomes is contended.", null);
    }

    private Slot place(NewOutcome outcome, long floor) {
      Slot slot = take(floor);
      return switch (store.write(OutcomeItems.place(partition, outcome.id(), slot))) {
        case Store.Written.Done _ -> slot;
        case Store.Written.Refused(var found) -> elsewhere(slot, found);
      };
    }

    /**
     * Writes the outcome. Returns whether the outcome is at its place, even if another writer wrote
     * it.
     */
    private boolean fill(NewOutcome outcome, Slot slot) {
      return switch (store.write(Write.insert(OutcomeItems.entry(partition, outcome, slot)))) {
        case Store.Written.Done _ -> true;
        case Store.Written.Refused(var found) ->
            found.isPresent() && OutcomeItems.isOf(found.get(), outcome.id());
      };
    }

    /** Returns the place that another writer has given the outcome, and closes the unused one. */
    private Slot elsewhere(Slot unused, Optional<Item> place) {
      close(unused);
      return OutcomeItems.slot(
          place.orElseThrow(() -> new StoreUnavailable("An outcome's place is gone.", null)));
    }

    /** Returns a position after this one that no other writer has. */
    private Slot take(long after) {
      while (!taken.isEmpty()) {
        Slot slot = taken.remove();
        if (slot.position() > after) {
          return slot;
        }
        close(slot);
      }
      return head.take(partition, 1).getFirst();
    }

    void closeUnused() {
      taken.forEach(this::close);
    }

    /** Closes a position that nobody will fill, because readers would wait for it. */
    private void close(Slot slot) {
      store.write(
          Write.put(
              LogItems.tombstone(log, slot.position(), slot.at(), slot.stand()),
              Condition.absent()));
    }

    private void noteSettled(Slot slot) {
      if (slot.position() % LogFrontier.NOTED_EVERY == 0) {
        frontier.settled(log);
      }
    }
  }

  /** Returns the outcome, if the caller may see it and its retention has not ended. */
  public Optional<OutcomeEvent> find(Caller caller, EventId id) {
    Partition partition = caller.partition();
    return store
        .get(OutcomeItems.placeKey(partition, id))
        .map(OutcomeItems::slot)
        .flatMap(slot -> store.get(LogItems.key(OutcomeItems.log(partition), slot.position())))
        .filter(item -> OutcomeItems.isOf(item, id))
        .flatMap(item -> OutcomeItems.entry(partition, item))
        .filter(found -> clock.instant().isBefore(found.createdAt().plus(Event.RETENTION)))
        .filter(found -> found.isSeenBy(caller));
  }
}
