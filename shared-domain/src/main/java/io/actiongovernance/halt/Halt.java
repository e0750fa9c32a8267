package io.actiongovernance.halt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.HaltId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Order that stops a scope. From {@code haltedAt} until {@code liftedAt}, no call in the scope
 * starts, and the approval clock of its open plans is stopped (contract, section 4).
 *
 * @param workspaceId the workspace of the key that halted; null for an unpinned key
 * @param haltedBy the name of the key that ordered it
 * @param principal who ordered it
 * @param haltedAt when calls in the scope stop starting: the instant at which the request was
 *     answered
 * @param lift how it ended; null while it is in force
 */
public record Halt(
    HaltId id,
    Partition partition,
    Target target,
    @Nullable String workspaceId,
    String reason,
    String haltedBy,
    Principal principal,
    Instant haltedAt,
    @Nullable Lift lift) {

  /**
   * End of a halt.
   *
   * @param key identifies the request that lifted it, so that the same request, sent again, finds
   *     its own lift
   */
  public record Lift(String key, String liftedBy, Principal principal, Instant liftedAt) {}
}
