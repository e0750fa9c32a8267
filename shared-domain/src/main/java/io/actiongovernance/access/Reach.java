package io.actiongovernance.access;

import io.actiongovernance.id.OperatorId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a key reaches within the data of its tenant and mode (contract, section 9): lists show
 * what is within it, everything else reads as not found.
 *
 * @param workspaceId the workspace that the key is pinned to, or null for the whole tenant
 * @param operatorIds the operators that the key is bound to; empty for a key that is bound to none
 */
public record Reach(@Nullable String workspaceId, Set<OperatorId> operatorIds) {
  /** All data of the tenant and mode. */
  public static final Reach WHOLE = new Reach(null, Set.of());

  public Reach {
    operatorIds = Set.copyOf(operatorIds);
  }

  /** One workspace's data, or everything for null. */
  public static Reach of(@Nullable String workspaceId) {
    return new Reach(workspaceId, Set.of());
  }

  /** Whether it is bound to operators. */
  public boolean isBound() {
    return !operatorIds.isEmpty();
  }

  /** Whether objects of this workspace are within it, null standing for tenant-wide ones. */
  public boolean covers(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  /** Whether what is of this operator is within it: bound to operators, theirs alone. */
  public boolean covers(OperatorId operator) {
    return operatorIds.isEmpty() || operatorIds.contains(operator);
  }

  /** Whether an object of this workspace and this operator is within it. */
  public boolean covers(@Nullable String workspace, OperatorId operator) {
    return covers(workspace) && covers(operator);
  }

  /** The operator whose objects alone are within it; null if there are several, or all are. */
  public @Nullable OperatorId onlyOperator() {
    return operatorIds.size() == 1 ? operatorIds.iterator().next() : null;
  }
}
