package io.actiongovernance.event;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Settled part of ingested events and outcomes as one order. It ends at a place before which
 * nothing can be added any more, in either log.
 *
 * <p>An outcome comes after the positions of the other log that its {@link OutcomePosition} names.
 * So an outcome may be shown once these positions are settled. A position of the other log may be
 * shown once the outcomes taken before its fence are settled. Thread-safe.
 */
final class MergedFrontier {
  private final Store store;
  private final LogFrontier frontier;
  private final LogTimes times;
  private final OutcomesHead head;

  MergedFrontier(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.frontier = new LogFrontier(store, clock, sleeper);
    this.times = new LogTimes(store);
    this.head = new OutcomesHead(store, clock);
  }

  Place settled(Log ingested) {
    long position = frontier.settled(ingested);
    long taken = head.fence(ingested, position);
    return bounded(ingested, position, frontier.settled(outcomes(ingested)), taken);
  }

  /** Returns a settled place that includes everything that existed at this call; waits for it. */
  Place settledWithAllThereIs(Log ingested) {
    long position = frontier.settledWithAllThereIs(ingested);
    long taken = head.fence(ingested, position);
    Log outcomes = outcomes(ingested);
    Place place = bounded(ingested, position, frontier.settledThrough(outcomes, taken), taken);
    if (place.outcomes() < taken) {
      // An outcome comes after positions of the other log that are still in progress.
      long stand = OutcomePosition.of(last(outcomes, taken)).in(ingested.kind());
      long later = frontier.settledThrough(ingested, stand);
      long takenLater = head.fence(ingested, later);
      long settled = frontier.settledThrough(outcomes, takenLater);
      place = bounded(ingested, later, settled, takenLater).max(place);
    }
    return place;
  }

  private Place bounded(Log ingested, long position, long settled, long taken) {
    if (settled == 0) {
      return new Place(taken == 0 ? position : 0, 0);
    }
    Log outcomes = outcomes(ingested);
    long stand = OutcomePosition.of(last(outcomes, settled)).in(ingested.kind());
    long upTo = settled < taken ? Math.min(position, stand) : position;
    return new Place(upTo, stand <= upTo ? settled : upTo(ingested, upTo, settled));
  }

  /**
   * Returns the last outcome up to {@code settled} whose place in the other log is not beyond this
   * position.
   */
  long upTo(Log ingested, long position, long settled) {
    return times.last(
        outcomes(ingested),
        item -> OutcomePosition.of(item).in(ingested.kind()) <= position,
        settled);
  }

  /** Returns the last outcome whose place is before this position of the other log. */
  long before(Log ingested, long position) {
    return upTo(ingested, position - 1, frontier.settled(outcomes(ingested)));
  }

  private Item last(Log outcomes, long upTo) {
    return store
        .query(
            Query.of(Table.EVENTS, LogItems.partition(outcomes))
                .below(LogItems.range(upTo + 1))
                .newestFirst()
                .limit(1))
        .items()
        .stream()
        .findFirst()
        .orElseGet(() -> Item.at(LogItems.key(outcomes, upTo)).with("at", 0).build());
  }

  /** The entries between two places, each log's in its order. */
  record Stretch(Place after, Place upTo, List<Item> ingested, List<Item> outcomes) {}

  /** Does for both logs what {@link LogFrontier#stretch} does for one. */
  Stretch stretch(Log ingested, Place known, int most) {
    LogFrontier.Stretch first = frontier.stretch(ingested, known.position(), most);
    long taken = head.fence(ingested, first.upTo());
    LogFrontier.Stretch second = frontier.stretch(outcomes(ingested), known.outcomes(), most);
    Place upTo =
        bounded(ingested, first.upTo(), second.upTo(), taken)
            .max(new Place(first.after(), second.after()));
    return new Stretch(
        new Place(first.after(), second.after()),
        upTo,
        upTo(first.items(), upTo.position()),
        upTo(second.items(), upTo.outcomes()));
  }

  private static List<Item> upTo(List<Item> items, long position) {
    List<Item> kept = new ArrayList<>();
    items.stream().filter(item -> LogItems.position(item) <= position).forEach(kept::add);
    return kept;
  }

  private static Log outcomes(Log ingested) {
    return OutcomeItems.log(ingested.partition());
  }
}
