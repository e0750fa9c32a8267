package io.actiongovernance.kernel;

import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.access.WaitSlots.Slot;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what comes of a plan or an undo that a request has claimed. A tenant may have {@link
 * WaitSlots#QUOTA} such waits; where it has, the next one ends, and what was claimed goes on
 * (contract, section 4). Most are over within a moment: those take no slot. Thread-safe.
 */
public final class AwaitClaimed {
  /** A wait that lasts longer takes a slot. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  /** By how much the slot of a function that died outlasts its wait. */
  private static final Duration MARGIN = Duration.ofSeconds(2);

  private final Poller poller;
  private final WaitSlots slots;
  private final Ids ids;

  public AwaitClaimed(Poller poller, WaitSlots slots, Ids ids) {
    this.poller = poller;
    this.slots = slots;
    this.ids = ids;
  }

  /**
   * What the read yields once it yields something; empty if that takes until the deadline, or if
   * the tenant waits for enough.
   *
   * @param again whether the request is one that was sent before: it has had its moment
   */
  <T> Optional<T> until(
      TenantId tenant, Instant deadline, boolean again, Supplier<Optional<T>> read) {
    AtomicReference<@Nullable Slot> held = new AtomicReference<>();
    try {
      return poller.until(
          deadline,
          read,
          again ? Duration.ZERO : MOMENT,
          () -> {
            Optional<Slot> slot = slots.take(tenant, ids.next(), deadline.plus(MARGIN));
            held.set(slot.orElse(null));
            return slot.isPresent();
          });
    } finally {
      release(held.get());
    }
  }

  private void release(@Nullable Slot slot) {
    if (slot != null) {
      try {
        slots.release(slot);
      } catch (StoreUnavailable e) {
        // It lapses by itself; what the wait came to is to be told.
      }
    }
  }
}
