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
 * Looks at what is due in a shard, oldest minute first, in turns: first at most {@value #TURN}
 * items of each tenant and mode, then, while there is time, at what that left. So a tenant that has
 * thousands due delays nobody's. What there is no time for is due still. Thread-safe.
 */
public final class FairScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(FairScheduler.class);

  /** How many items of a tenant and mode are looked at before those of others. */
  static final int TURN = 20;

  /** How many are read at once. */
  private static final int PAGE = TURN + 5;

  /** After which nobody has a second turn: other shards are to be swept within the minute too. */
  private static final Duration LONG = Duration.ofSeconds(10);

  /** After which nothing more is looked at: a sweep's function may run for a minute. */
  private static final Duration LONGEST = Duration.ofSeconds(40);

  private final Store store;
  private final InstantSource clock;

  public FairScheduler(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * What a sweep of a shard came to.
   *
   * @param seen how many it looked at
   * @param hits how many of these looks said yes
   */
  public record Swept(int seen, int hits) {}

  /**
   * Sweeps a shard once.
   *
   * @param look looks at one item, and moves it to when it is to be looked at again; throws nothing
   */
  public Swept sweep(DueIndex what, int shard, Predicate<Item> look) {
    return new Sweep(what.by(shard, clock.instant()), look).run();
  }

  /**
   * What was left of a tenant's items of a minute.
   *
   * @param from the first of them
   * @param below the bound above, exclusive
   */
  private record Rest(String from, String below) {}

  /** One sweep. Not thread-safe. */
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

    /** Everybody's first turn. Returns whether there was time for it. */
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

    /** Looks at an item, if it is due and its tenant has a turn. Returns where to go on. */
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

    /** Another turn of a rest. Returns whether there was time for it. */
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
