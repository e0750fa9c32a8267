package io.actiongovernance.people;

import io.actiongovernance.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * A role that a person has.
 *
 * @param workspaceId the workspace in which they have it; null for the whole tenant
 */
public record RoleBinding(Role role, @Nullable String workspaceId) {
  /** Whether it counts for who has signed in to this workspace, null standing for the tenant. */
  public boolean countsIn(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  /** Whether it is one of those of which a mode must not lose its last. */
  boolean isUnpinnedAdmin() {
    return role == Role.ADMIN && workspaceId == null;
  }
}
