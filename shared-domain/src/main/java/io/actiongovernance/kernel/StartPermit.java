package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.Permit;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Permission for the requests of one call. The caller asks after writing the intent, and again just
 * before the first byte of each request, after name resolution and connection. So no request starts
 * after a halt was answered, however slow those steps were (contract, section 4, Kill switch). A
 * halt state that cannot be read, or not in time, counts as halted.
 *
 * <p>A first request that comes too late in its invocation does not start either, because the end
 * of the invocation would cut it off (architecture, "Execute").
 *
 * <p>The same read tells whether the action was settled before its intent was stated, because
 * stating an intent does not check that. From then on only that intent can settle the action. So if
 * this read finds the action unsettled, this invocation may make the call. Thread-safe: the result
 * of either of two threads' reads is valid.
 */
final class StartPermit implements Permit {
  /**
   * Time for which an answer is valid. A request within this time starts before any halt that the
   * read missed is answered, because answering takes {@link HaltRegister#SETTLES}.
   */
  private static final Duration VALID = Duration.ofMillis(250);

  private static final int TRIES = 3;

  private final Store store;
  private final Action action;
  private final InstantSource clock;
  private final Instant latest;
  private volatile @Nullable Instant clearAt;
  private volatile boolean settled;
  private volatile boolean halted;
  private volatile boolean begun;

  /**
   * @param latest latest start of the first request of the call
   */
  StartPermit(Store store, Action action, InstantSource clock, Instant latest) {
    this.store = store;
    this.action = action;
    this.clock = clock;
    this.latest = latest;
  }

  @Override
  public boolean stands() {
    for (int attempt = 0; attempt < TRIES && !valid(); attempt++) {
      Instant before = clock.instant();
      if (stopped()) {
        clearAt = null;
        return false;
      }
      clearAt = before;
    }
    // If the store is too slow to answer in time, nothing is known.
    return valid();
  }

  @Override
  public boolean begins() {
    boolean permitted = (begun || !late()) && stands();
    if (permitted) {
      begun = true;
    }
    return permitted;
  }

  /** Returns whether it is too late in this invocation for the first request of a call. */
  boolean late() {
    return clock.instant().isAfter(latest);
  }

  /** Returns whether a request that causes the effect may have been sent. */
  boolean begun() {
    return begun;
  }

  private boolean valid() {
    Instant since = clearAt;
    return since != null && clock.instant().isBefore(since.plus(VALID));
  }

  /** Returns whether the call was refused because the action had already been settled. */
  boolean settled() {
    return settled;
  }

  /** Returns whether a halt refused the call; if not, halts could not be read in time. */
  boolean halted() {
    return halted;
  }

  private boolean stopped() {
    Action.Terms terms = action.terms();
    Key halts = HaltRegister.key(action.partition());
    Key own = Actions.key(action.partition(), action.id());
    try {
      Map<Key, Item> items = store.getByKey(List.of(halts, own));
      settled =
          !Optional.ofNullable(items.get(own))
              .map(Actions::read)
              .filter(one -> !one.settled())
              .isPresent();
      halted =
          HaltRegister.read(Optional.ofNullable(items.get(halts)))
              .covering(terms.operatorId(), Set.of(terms.connector()))
              .isPresent();
      return settled || halted;
    } catch (StoreUnavailable e) {
      return true;
    }
  }
}
