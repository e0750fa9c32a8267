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
 * Slots for requests of a tenant, both modes together, that wait for a result. Each such request
 * occupies a running function. Approvals and undos have their own slots (contract, section 4),
 * which reading and proposing requests can never take (contract for agents, section 2). A slot is a
 * lease until the latest end of the wait, so a dead function's slot becomes free when the lease
 * expires. Taking a slot is one write, and releasing it another. All slots are examined only if the
 * one drawn at random is taken. Thread-safe.
 */
public final class WaitSlots {
  /** Maximum number of a tenant's approvals and undos that wait at once. */
  public static final int QUOTA = 50;

  /** Maximum number of other requests by one key or one person that wait at once. */
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
   * Slots for waits of one kind.
   *
   * @param partition the store partition of their items
   */
  public record Pool(String partition, int quota) {
    /** Returns the slots for a tenant's approvals and undos. */
    public static Pool ofDecisions(TenantId tenant) {
      return new Pool(tenant.value() + "#waits", QUOTA);
    }

    /** Returns the slots for a tenant's requests other than approvals and undos. */
    public static Pool ofReaders(TenantId tenant, int quota) {
      return new Pool(tenant.value() + "#read-waits", quota);
    }

    /**
     * Returns the slots for requests other than approvals and undos in one function of the
     * deployment, across all tenants. There are fewer slots than the function's concurrency, so
     * that requests that do not wait are always answered.
     */
    public static Pool ofFunction(String function, int quota) {
      return new Pool("function#" + function + "#waits", quota);
    }

    /** Returns the slots for requests other than approvals and undos by one key or one person. */
    public static Pool ofCaller(TenantId tenant, Principal caller) {
      return new Pool(tenant.value() + "#read-waits#" + caller.id(), OF_A_CALLER);
    }
  }

  public record Slot(Pool pool, int number, String holder) {
    private Key key() {
      return new Key(Table.LIMITS, pool.partition(), Integer.toString(number));
    }
  }

  /**
   * Takes a slot, if the pool has one left.
   *
   * @param holder a text that no other wait uses
   * @param until latest end of the wait
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
      // A refused write means that another wait has just taken the slot.
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
                // The slot is already this wait's: the write is repeated because its answer was
                // lost.
                or(lacks(UNTIL), atMost(UNTIL, clock.millis()), equal(WAIT, slot.holder())),
                Change.set(WAIT, slot.holder()),
                Change.set(UNTIL, until.toEpochMilli())))
        .done();
  }

  /** Releases a slot, unless another wait has taken it. */
  public void release(Slot slot) {
    store.write(Write.delete(slot.key(), equal(WAIT, slot.holder())));
  }
}
