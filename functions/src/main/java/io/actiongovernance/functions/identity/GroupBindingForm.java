package io.actiongovernance.functions.identity;

import io.actiongovernance.access.Role;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.identity.GroupBinding;
import org.jspecify.annotations.Nullable;

/** The role of a group, in the form that requests and responses share. */
@Doc("The role of the members of a group.")
record GroupBindingForm(
    @Field(
            doc = "The group, as the issuer names it in the claim.",
            text = Field.Text.LINE,
            min = 1,
            max = 200,
            example = "support-leads")
        String group,
    @Field(
            doc = "Role of the members; it permits what a key of that role may do.",
            example = "operate")
        Role role,
    @Field(
            doc = "The workspace in which the role applies; null for the whole tenant.",
            text = Field.Text.LINE,
            min = 1,
            max = 100)
        @Nullable String workspaceId) {
  GroupBinding binding() {
    return new GroupBinding(group, role, workspaceId);
  }

  static GroupBindingForm of(GroupBinding binding) {
    return new GroupBindingForm(binding.group(), binding.role(), binding.workspaceId());
  }
}
