package io.actiongovernance.access;

import io.actiongovernance.id.OperatorId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reach of a key within the data of its tenant and mode (contract, section 9). Lists show what is
 * within it; everything else reads as not found.
 *
 * @param workspaceId the workspace that the key is pinned to, or null for the whole tenant
 * @param operatorIds the operators that the key is bound to; empty if it is bound to none
 */
public record Reach(@Nullable String workspaceId, Set<OperatorId> operatorIds) {
  public static final Reach WHOLE = new Reach(null, Set.of());

  public Reach {
    operatorIds = Set.copyOf(operatorIds);
  }

  /** Returns the reach of one workspace; of the whole tenant if null. */
  public static Reach of(@Nullable String workspaceId) {
    return new Reach(workspaceId, Set.of());
  }

  public boolean isBound() {
    return !operatorIds.isEmpty();
  }

  /**
   * Returns whether objects of this workspace are within the reach; null stands for tenant-wide
   * objects.
   */
  public boolean covers(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  /**
   * Returns whether this operator is within the reach. If the reach is bound to operators, only
   * these are.
   */
  public boolean covers(OperatorId operator) {
    return operatorIds.isEmpty() || operatorIds.contains(operator);
  }

  public boolean covers(@Nullable String workspace, OperatorId operator) {
    return covers(workspace) && covers(operator);
  }

  /** Returns the operator if the reach has exactly one; null if there are several, or all. */
  public @Nullable OperatorId onlyOperator() {
    return operatorIds.size() == 1 ? operatorIds.iterator().next() : null;
  }
}
