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
 * How many approvals and undos of a tenant, of both modes together, wait for what comes of them
 * (contract, section 4): each is a function that runs. A slot is a lease until the wait is over at
 * the latest, so that the slot of a function that died is free again by itself. Taking one is a
 * write, and giving it back another; only where the one that was drawn is taken, all are looked at.
 * Thread-safe.
 */
public final class WaitSlots {
  /** Waits that a tenant may have at once. */
  public static final int QUOTA = 50;

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

  /** A slot that a wait holds. */
  public record Slot(TenantId tenant, int number, String holder) {
    private Key key() {
      return WaitSlots.key(tenant, number);
    }
  }

  /**
   * Takes a slot, if the tenant has one left.
   *
   * @param holder a text that no other wait has
   * @param until when it is over at the latest
   */
  public Optional<Slot> take(TenantId tenant, String holder, Instant until) {
    int drawn = random.nextInt(QUOTA);
    Slot first = new Slot(tenant, drawn, holder);
    return takes(first, until) ? Optional.of(first) : takeAny(first, until);
  }

  private Optional<Slot> takeAny(Slot first, Instant until) {
    Map<String, Item> slots = new HashMap<>();
    store
        .query(Query.of(Table.LIMITS, partition(first.tenant())).limit(QUOTA))
        .items()
        .forEach(item -> slots.put(item.key().range(), item));
    for (int further = 1; further < QUOTA; further++) {
      Slot slot = new Slot(first.tenant(), (first.number() + further) % QUOTA, first.holder());
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

  private static String partition(TenantId tenant) {
    return tenant.value() + "#waits";
  }

  private static Key key(TenantId tenant, int number) {
    return new Key(Table.LIMITS, partition(tenant), Integer.toString(number));
  }
}
