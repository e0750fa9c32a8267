package io.actiongovernance.kernel;

import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Waits for what comes of a plan or an undo that a request has claimed. A tenant may have {@link
 * WaitSlots#QUOTA} such waits; where it has, the next one ends, and what was claimed goes on
 * (contract, section 4). Most are over within a moment: those take no slot. Thread-safe.
 */
public final class AwaitClaimed {
  private final SlottedWait wait;

  public AwaitClaimed(SlottedWait wait) {
    this.wait = wait;
  }

  /**
   * What the read yields once it yields something; empty if that takes until the deadline, or if
   * the tenant waits for enough.
   *
   * @param again whether the request is one that was sent before: it has had its moment
   */
  <T> Optional<T> until(
      TenantId tenant, Instant deadline, boolean again, Supplier<Optional<T>> read) {
    return wait.until(
        List.of(WaitSlots.Pool.ofDecisions(tenant)),
        deadline,
        again ? Duration.ZERO : SlottedWait.MOMENT,
        read);
  }
}
