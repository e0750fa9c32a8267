package io.actiongovernance.identity;

import io.actiongovernance.access.Role;
import io.actiongovernance.people.RoleBinding;
import org.jspecify.annotations.Nullable;

/**
 * The role that whoever is in a group has.
 *
 * @param group as the issuer's tokens name it
 * @param workspaceId the workspace in which they have it; null for the whole tenant
 */
public record GroupBinding(String group, Role role, @Nullable String workspaceId) {
  /** What a person has by it. */
  RoleBinding ofPerson() {
    return new RoleBinding(role, workspaceId);
  }
}
