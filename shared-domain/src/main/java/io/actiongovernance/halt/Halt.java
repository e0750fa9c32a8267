package io.actiongovernance.halt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.HaltId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A halt: from {@code haltedAt} until {@code liftedAt} no call in its scope starts, and the
 * approval clock of open plans stands still (contract, section 4).
 *
 * @param workspaceId the workspace of the key that halted, null for an unpinned one
 * @param haltedBy the name of the key that ordered it
 * @param principal who that was
 * @param haltedAt from when on nothing in scope starts: the instant the request was answered
 * @param lift how it ended, null while it is in force
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
   * The end of a halt.
   *
   * @param key what lifted it: the same request made again finds itself
   */
  public record Lift(String key, String liftedBy, Principal principal, Instant liftedAt) {}
}
