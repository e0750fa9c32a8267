package io.actiongovernance.connector;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Keeps each connector within its source system's pace across all callers (specification, Rate
 * limits; contract, section 5). It is a token bucket by the generic cell rate algorithm (GCRA) that
 * lets no minute have more requests than the listing says. With 60 a minute and 10 at once, a full
 * bucket refills every 60,000 / (60 − 10 + 1) ms.
 *
 * <p>It stores one number for each connector, the theoretical arrival time in milliseconds at which
 * the bucket is full again, and moves it by conditional updates. Thread-safe.
 */
public final class Pacer {
  private static final String FULL_AT = "full_at";
  private static final long MINUTE = 60_000;
  private static final int TRIES = 10;

  private final Store store;
  private final InstantSource clock;

  public Pacer(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Takes the next place and returns empty. If no place is free, returns the time at which one may
   * be.
   */
  public Optional<Instant> take(Connector connector) {
    Listing.Pacing pacing = connector.pacing();
    long interval = Math.ceilDiv(MINUTE, (long) pacing.requestsPerMinute() - pacing.burst() + 1);
    long tolerance = interval * (pacing.burst() - 1);
    Key key =
        new Key(Table.LIMITS, connector.partition().key("connector-pace"), connector.id().value());
    long now = clock.millis();
    for (int attempt = 0; attempt < TRIES; attempt++) {
      if (!(store.write(anew(key, now, interval))
          instanceof Store.Written.Refused(Optional<Item> found))) {
        return Optional.empty();
      }
      long fullAt = found.map(item -> item.whole(FULL_AT, 0)).orElse(0L);
      if (fullAt > now + tolerance) {
        return Optional.of(Instant.ofEpochMilli(fullAt - tolerance));
      }
      if (store.write(further(key, now, tolerance, interval)).done()) {
        return Optional.empty();
      }
    }
    return Optional.of(Instant.ofEpochMilli(now + interval));
  }

  /** Returns the write for the first request on a full bucket. */
  private static Write anew(Key key, long now, long interval) {
    return Write.update(
        key,
        Condition.or(Condition.lacks(FULL_AT), Condition.atMost(FULL_AT, now)),
        Change.set(FULL_AT, now + interval),
        // This is long after the bucket is full again, whatever else is taken; the item then
        // carries no information.
        Change.set(Table.EXPIRES, (now + 60 * MINUTE) / 1000));
  }

  /** Returns the write for one more request while the bucket is neither full nor empty. */
  private static Write further(Key key, long now, long tolerance, long interval) {
    return Write.update(
        key,
        Condition.and(Condition.greater(FULL_AT, now), Condition.atMost(FULL_AT, now + tolerance)),
        Change.add(FULL_AT, interval));
  }
}
