package io.actiongovernance.due;

import io.actiongovernance.due.DueIndex.Place;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps the due items of a shard in turns, oldest minute first. It examines up to {@value #TURN}
 * items of each tenant and mode, then the rest if time remains. A tenant with thousands of due
 * items therefore does not delay the items of others. Items for which there is no time stay due.
 * Thread-safe.
 */
public final class FairScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(FairScheduler.class);

  /** Maximum number of items of a tenant and mode that are examined before those of others. */
  static final int TURN = 20;

  private static final int PAGE = TURN + 5;

  /**
   * Time after which no second turns are given, because the other shards must be swept within the
   * minute too.
   */
  private static final Duration LONG = Duration.ofSeconds(10);

  /**
   * Time after which no more items are examined, because a sweep's function may run for a minute.
   */
  private static final Duration LONGEST = Duration.ofSeconds(40);

  private final Store store;
  private final InstantSource clock;

  public FairScheduler(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Result of sweeping a shard.
   *
   * @param seen number of items examined
   * @param hits number of items for which {@code look} returned true
   */
  public record Swept(int seen, int hits) {}

  /**
   * Sweeps a shard once.
   *
   * @param look examines one item and moves it to the time at which it must be examined again;
   *     throws nothing
   */
  public Swept sweep(DueIndex what, int shard, Predicate<Item> look) {
    return new Sweep(what.by(shard, clock.instant()), look).run();
  }

  /**
   * The remaining items of a tenant that are due in one minute.
   *
   * @param from the first of these items
   * @param below the upper bound, exclusive
   */
  private record Rest(String from, String below) {}

  /** A single sweep. Not thread-safe. */
  private final class Sweep {
    private final Instant began = clock.instant();
    private final Query due;
    private final Predicate<Item> look;
    private final Map<String, Integer> taken = new HashMap<>();
    private final Deque<Rest> rests = new ArrayDeque<>();
    private int seen;
    private int hits;

    Sweep(Query due, Predicate<Item> look) {
      this.due = due;
      this.look = look;
    }

    Swept run() {
      boolean more = turns();
      while (more && !rests.isEmpty()) {
        more = !lasted(LONG) && another(rests.remove());
      }
      if (!more) {
        LOG.atWarn().addKeyValue("seen", seen).log("More is due than a sweep has time for");
      }
      return new Swept(seen, hits);
    }

    /** Gives every tenant its first turn; returns whether there was time for all. */
    private boolean turns() {
      String from = null;
      while (true) {
        Slice slice = store.query(due.from(from).limit(PAGE));
        for (Item item : slice.items()) {
          Place place = Place.of(item);
          if (from == null || place.text().compareTo(from) >= 0) {
            if (lasted(LONGEST)) {
              return false;
            }
            from = after(item, place);
          }
        }
        if (!slice.more()) {
          return true;
        }
      }
    }

    /** Examines an item if it is due and its tenant has a turn left; returns where to continue. */
    private String after(Item item, Place place) {
      if (place.at().isAfter(began)) {
        return place.end();
      }
      int before = taken.merge(place.partition(), 1, Integer::sum) - 1;
      if (before >= TURN) {
        rests.add(new Rest(place.text(), place.end()));
        return place.end();
      }
      look(item);
      return place.next();
    }

    /** Gives the rest of a tenant's items another turn; returns whether there was time for it. */
    private boolean another(Rest rest) {
      Slice slice = store.query(due.from(rest.from()).below(rest.below()).limit(TURN));
      @Nullable Place last = null;
      for (Item item : slice.items()) {
        last = Place.of(item);
        if (last.at().isAfter(began)) {
          return true;
        }
        if (lasted(LONGEST)) {
          return false;
        }
        look(item);
      }
      if (slice.more() && last != null) {
        rests.add(new Rest(last.next(), rest.below()));
      }
      return true;
    }

    private boolean lasted(Duration time) {
      return began.plus(time).isBefore(clock.instant());
    }

    private void look(Item item) {
      seen++;
      hits += look.test(item) ? 1 : 0;
    }
  }
}
