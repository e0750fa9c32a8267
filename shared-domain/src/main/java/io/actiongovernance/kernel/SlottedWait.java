package io.actiongovernance.kernel;

import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.access.WaitSlots.Pool;
import io.actiongovernance.access.WaitSlots.Slot;
import io.actiongovernance.id.Ids;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Waits, for longer than a moment only with a slot out of each of some pools: so that no tenant has
 * more functions wait than it may. Thread-safe.
 */
public final class SlottedWait {
  /** A wait that lasts longer takes slots. */
  static final Duration MOMENT = Duration.ofSeconds(1);

  /** By how much the slot of a function that died outlasts its wait. */
  private static final Duration MARGIN = Duration.ofSeconds(2);

  private final Poller poller;
  private final WaitSlots slots;
  private final Ids ids;

  public SlottedWait(Poller poller, WaitSlots slots, Ids ids) {
    this.poller = poller;
    this.slots = slots;
    this.ids = ids;
  }

  /**
   * What the read yields once it yields something; empty if that takes until the deadline, or if
   * one of the pools has no slot left.
   *
   * @param moment for how long no slot is needed
   */
  <T> Optional<T> until(
      List<Pool> pools, Instant deadline, Duration moment, Supplier<Optional<T>> read) {
    return until(pools, deadline, Duration.ZERO, moment, read);
  }

  /**
   * The same.
   *
   * @param head for how long nothing can come of it yet
   */
  <T> Optional<T> until(
      List<Pool> pools,
      Instant deadline,
      Duration head,
      Duration moment,
      Supplier<Optional<T>> read) {
    List<Slot> held = new ArrayList<>();
    try {
      return poller.until(
          deadline, head, read, moment, () -> takes(pools, deadline.plus(MARGIN), held));
    } finally {
      held.forEach(this::release);
    }
  }

  private boolean takes(List<Pool> pools, Instant until, List<Slot> held) {
    String holder = ids.next();
    for (Pool pool : pools) {
      Optional<Slot> slot = slots.take(pool, holder, until);
      if (slot.isEmpty()) {
        return false;
      }
      held.add(slot.get());
    }
    return true;
  }

  private void release(Slot slot) {
    try {
      slots.release(slot);
    } catch (StoreUnavailable e) {
      // It lapses by itself; what the wait came to is to be told.
    }
  }
}
