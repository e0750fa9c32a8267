package io.actiongovernance.people;

import io.actiongovernance.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * A role that a person has.
 *
 * @param workspaceId the workspace in which they have it; null for the whole tenant
 */
public record RoleBinding(Role role, @Nullable String workspaceId) {
  /** Returns whether the role counts in a session of this workspace; null stands for the tenant. */
  public boolean countsIn(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  /**
   * Returns whether it gives the role admin in the whole tenant; a mode must keep at least one such
   * binding.
   */
  boolean isUnpinnedAdmin() {
    return role == Role.ADMIN && workspaceId == null;
  }
}
