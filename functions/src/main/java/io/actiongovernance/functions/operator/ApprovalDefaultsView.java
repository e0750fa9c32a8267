package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.approval.ApprovalDefaults;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;

/** The policies of approval of what is held by a guardrail that has none. */
@Doc("Default approval policies, by tier.")
record ApprovalDefaultsView(
    @Field(doc = "Always `approval_defaults`.", constant = "approval_defaults") String object,
    @Field(doc = TIERS_DOC, as = ObjectNode.class, example = TIERS) ObjectNode tiers) {
  static final String TIERS_DOC =
      "Approval policy of each tier, `\"0\"` to `\"3\"`, in the form of a guardrail's"
          + " `approval`; null for none.";

  static final String TIERS =
      "{\"0\":null,\"1\":null,\"2\":null,\"3\":{\"all_of\":[{\"count\":1,\"groups\":[]}],\"method\":\"passkey\",\"not_proposer\":true,\"not_policy_editor_seconds\":null,\"within_seconds\":null}}";

  static ApprovalDefaultsView of(ApprovalDefaults.ByTier defaults) {
    return new ApprovalDefaultsView("approval_defaults", defaults.tiers());
  }
}
