package io.actiongovernance.functions.people;

import io.actiongovernance.access.Role;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.people.RoleBinding;
import org.jspecify.annotations.Nullable;

/** A person's role, in requests and answers. */
@Doc("A role that a person has.")
public record RoleBindingForm(
    @Field(
            doc = "Role of the person; it permits what a key of that role may do.",
            example = "operate")
        Role role,
    @Field(
            doc = "The workspace in which the role applies; null for the whole tenant.",
            text = Field.Text.LINE,
            min = 1,
            max = 100)
        @Nullable String workspaceId) {
  RoleBinding binding() {
    return new RoleBinding(role, workspaceId);
  }

  static RoleBindingForm of(RoleBinding binding) {
    return new RoleBindingForm(binding.role(), binding.workspaceId());
  }
}
