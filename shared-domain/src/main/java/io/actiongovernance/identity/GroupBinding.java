package io.actiongovernance.identity;

import io.actiongovernance.access.Role;
import io.actiongovernance.people.RoleBinding;
import org.jspecify.annotations.Nullable;

/**
 * The role of everyone in a group.
 *
 * @param group the group's name in the issuer's tokens
 * @param workspaceId the workspace in which they have the role; null for the whole tenant
 */
public record GroupBinding(String group, Role role, @Nullable String workspaceId) {
  RoleBinding ofPerson() {
    return new RoleBinding(role, workspaceId);
  }
}
