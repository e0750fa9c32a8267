package io.actiongovernance.access;

import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slots for the open streams of a tenant, both modes together. Streams of keys (contract, section
 * 7) and of signed-in browsers (contract for people, section 4) have separate slots. Each stream
 * holds a slot on a lease that it renews, so that the slot of a dead stream is soon free again.
 * Thread-safe.
 */
public final class StreamSlots {
  /** Kind of streams. A kind never takes the slots of the other. */
  public enum Pool {
    KEYS("#streams", 20, "streams open"),
    /** Streams of sessions, which belong to browsers. */
    SESSIONS("#session-streams", 10, "streams of signed-in browsers open");

    private final String part;
    private final int quota;
    private final String named;

    Pool(String part, int quota, String named) {
      this.part = part;
      this.quota = quota;
      this.named = named;
    }

    public int quota() {
      return quota;
    }

    private String partition(TenantId tenant) {
      return tenant.value() + part;
    }

    public static Pool of(Caller caller) {
      return caller.session().isPresent() ? SESSIONS : KEYS;
    }
  }

  /** Time for which a slot stays taken without renewal. */
  public static final Duration LEASE = Duration.ofSeconds(45);

  /** Interval at which the holder renews its slot: twice before the lease expires. */
  public static final Duration RENEWAL = Duration.ofSeconds(15);

  private static final String HOLDER = "holder";
  private static final String UNTIL = "until";

  private final Store store;
  private final InstantSource clock;

  public StreamSlots(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  public record Slot(TenantId tenant, Pool pool, int number, String holder) {
    private Key key() {
      return new Key(Table.LIMITS, pool.partition(tenant), Integer.toString(number));
    }
  }

  /**
   * Takes a slot, if the tenant has one left.
   *
   * @param holder a text that no other stream uses
   */
  public Outcome<Slot> take(TenantId tenant, Pool pool, String holder) {
    long now = clock.millis();
    Map<String, Item> slots = new HashMap<>();
    store
        .query(Query.of(Table.LIMITS, pool.partition(tenant)).limit(pool.quota()))
        .items()
        .forEach(item -> slots.put(item.key().range(), item));
    for (int number = 0; number < pool.quota(); number++) {
      Slot slot = new Slot(tenant, pool, number, holder);
      @Nullable Item found = slots.get(slot.key().range());
      boolean free = found == null || found.whole(UNTIL, 0) <= now;
      // A refused write means that another stream has just taken the slot.
      if (free
          && store
              .write(
                  Write.update(
                      slot.key(),
                      or(lacks(UNTIL), atMost(UNTIL, now)),
                      Change.set(HOLDER, holder),
                      Change.set(UNTIL, now + LEASE.toMillis())))
              .done()) {
        return Outcome.done(slot);
      }
    }
    return Outcome.refused(
        new Refusal.QuotaExceeded(
            "The tenant already has "
                + pool.quota()
                + " "
                + pool.named
                + ", the maximum. Close one, or wait."));
  }

  /** Renews a slot; false if the lease expired and another stream has taken the slot. */
  public boolean renew(Slot slot) {
    return store
        .write(
            Write.update(
                slot.key(),
                equal(HOLDER, slot.holder()),
                Change.set(UNTIL, clock.millis() + LEASE.toMillis())))
        .done();
  }

  /** Releases a slot, unless another stream has taken it. */
  public void release(Slot slot) {
    store.write(
        Write.update(
            slot.key(), equal(HOLDER, slot.holder()), Change.remove(HOLDER), Change.set(UNTIL, 0)));
  }
}
