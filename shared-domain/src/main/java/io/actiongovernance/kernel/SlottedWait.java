package io.actiongovernance.kernel;

import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.access.WaitSlots.Pool;
import io.actiongovernance.access.WaitSlots.Slot;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Polls for the outcome that a request returns, by consistent reads at growing intervals. After a
 * moment it needs a slot from each given pool, so that no tenant keeps more functions waiting than
 * it may. Most waits end sooner. Thread-safe.
 */
public final class SlottedWait {
  /** Maximum duration of a wait without slots. */
  static final Duration MOMENT = Duration.ofSeconds(1);

  /** Time for which the slot of a function that died remains taken after the wait's end. */
  private static final Duration MARGIN = Duration.ofSeconds(2);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(15);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final WaitSlots slots;
  private final Ids ids;
  private final InstantSource clock;
  private final Sleeper sleeper;

  public SlottedWait(WaitSlots slots, Ids ids, InstantSource clock, Sleeper sleeper) {
    this.slots = slots;
    this.ids = ids;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /**
   * Waits for the outcome of a plan or an undo that a request has claimed, which proceeds with or
   * without the wait (contract, section 4).
   *
   * @param again whether the request was sent before, and has therefore used up its moment
   * @return the result of the read, once it has one; empty at the deadline, or if the tenant has as
   *     many such waits as it may
   */
  <T> Optional<T> forClaimed(
      TenantId tenant, Instant deadline, boolean again, Supplier<Optional<T>> read) {
    Duration moment = again ? Duration.ZERO : MOMENT;
    return until(List.of(Pool.ofDecisions(tenant)), deadline, Duration.ZERO, moment, read);
  }

  /**
   * Waits for the outcome of a plan or action that a request only reads or proposes (contract for
   * agents, section 2).
   *
   * @param head time during which no outcome is possible yet, so that nothing is read
   * @return the result of the read, once it has one; empty at the deadline, or if one of the pools
   *     has no slot left
   */
  public <T> Optional<T> forReader(
      List<Pool> pools, Instant deadline, Duration head, Supplier<Optional<T>> read) {
    return until(pools, deadline, head, MOMENT, read);
  }

  private <T> Optional<T> until(
      List<Pool> pools,
      Instant deadline,
      Duration head,
      Duration moment,
      Supplier<Optional<T>> read) {
    Instant over = clock.instant().plus(moment);
    boolean asked = false;
    List<Slot> held = new ArrayList<>();
    try {
      if (head.isPositive() && clock.instant().plus(head).isBefore(deadline)) {
        sleeper.sleep(head);
      }
      for (Duration pause = FIRST_PAUSE; ; pause = longer(pause)) {
        Optional<T> found = read.get();
        if (found.isPresent() || !clock.instant().plus(pause).isBefore(deadline)) {
          return found;
        }
        if (!asked && !clock.instant().isBefore(over)) {
          asked = true;
          if (!takes(pools, deadline.plus(MARGIN), held)) {
            return found;
          }
        }
        sleeper.sleep(pause);
      }
    } finally {
      held.forEach(this::release);
    }
  }

  private static Duration longer(Duration pause) {
    Duration longer = pause.multipliedBy(3).dividedBy(2);
    return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
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
      // The slot expires without a release, and the result of the wait must still be returned.
    }
  }
}
