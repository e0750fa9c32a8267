package io.actiongovernance.access;

import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How many requests of a tenant, of both modes together, wait for what comes of something: each is
 * a function that runs. Approvals and undos have slots of their own (contract, section 4), which
 * what only reads and proposes can never take (contract for agents, section 2). A slot is a lease
 * until the wait is over at the latest, so that the slot of a function that died is free again by
 * itself. Taking one is a write, and giving it back another; only where the one that was drawn is
 * taken, all are looked at. Thread-safe.
 */
public final class WaitSlots {
  /** Approvals and undos of a tenant that may wait at once. */
  public static final int QUOTA = 50;

  /** Other requests by one key or one person that may. */
  public static final int OF_A_CALLER = 10;

  private static final String WAIT = "wait";
  private static final String UNTIL = "until";

  private final Store store;
  private final InstantSource clock;
  private final RandomGenerator random;

  public WaitSlots(Store store, InstantSource clock, RandomGenerator random) {
    this.store = store;
    this.clock = clock;
    this.random = random;
  }

  /**
   * The slots for waits of one kind.
   *
   * @param partition of their items
   * @param quota how many there are
   */
  public record Pool(String partition, int quota) {
    /** Those of a tenant's approvals and undos. */
    public static Pool ofDecisions(TenantId tenant) {
      return new Pool(tenant.value() + "#waits", QUOTA);
    }

    /** Those of all other requests of a tenant. */
    public static Pool ofReaders(TenantId tenant, int quota) {
      return new Pool(tenant.value() + "#read-waits", quota);
    }

    /**
     * Those of these in one function of the deployment, of all tenants: fewer than it may run at
     * once, so that whoever does not wait is answered however many wait.
     */
    public static Pool ofFunction(String function, int quota) {
      return new Pool("function#" + function + "#waits", quota);
    }

    /** Those of these by one key or one person. */
    public static Pool ofCaller(TenantId tenant, Principal caller) {
      return new Pool(tenant.value() + "#read-waits#" + caller.id(), OF_A_CALLER);
    }
  }

  /** A slot that a wait holds. */
  public record Slot(Pool pool, int number, String holder) {
    private Key key() {
      return new Key(Table.LIMITS, pool.partition(), Integer.toString(number));
    }
  }

  /**
   * Takes a slot, if the pool has one left.
   *
   * @param holder a text that no other wait has
   * @param until when it is over at the latest
   */
  public Optional<Slot> take(Pool pool, String holder, Instant until) {
    if (pool.quota() == 0) {
      return Optional.empty();
    }
    int drawn = random.nextInt(pool.quota());
    Slot first = new Slot(pool, drawn, holder);
    return takes(first, until) ? Optional.of(first) : takeAny(first, until);
  }

  private Optional<Slot> takeAny(Slot first, Instant until) {
    int quota = first.pool().quota();
    Map<String, Item> slots = new HashMap<>();
    store
        .query(Query.of(Table.LIMITS, first.pool().partition()).limit(quota))
        .items()
        .forEach(item -> slots.put(item.key().range(), item));
    for (int further = 1; further < quota; further++) {
      Slot slot = new Slot(first.pool(), (first.number() + further) % quota, first.holder());
      Item found = slots.get(slot.key().range());
      boolean free = found == null || found.whole(UNTIL, 0) <= clock.millis();
      // Refused means that another wait has just taken it.
      if (free && takes(slot, until)) {
        return Optional.of(slot);
      }
    }
    return Optional.empty();
  }

  private boolean takes(Slot slot, Instant until) {
    return store
        .write(
            Write.update(
                slot.key(),
                // One's own: a write that is repeated since its answer was lost.
                or(lacks(UNTIL), atMost(UNTIL, clock.millis()), equal(WAIT, slot.holder())),
                Change.set(WAIT, slot.holder()),
                Change.set(UNTIL, until.toEpochMilli())))
        .done();
  }

  /** Gives a slot back, unless another wait has it by now. */
  public void release(Slot slot) {
    store.write(Write.delete(slot.key(), equal(WAIT, slot.holder())));
  }
}
