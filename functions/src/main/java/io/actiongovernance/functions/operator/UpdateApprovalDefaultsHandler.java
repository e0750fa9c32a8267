package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.approval.ApprovalDefaults;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;

/** {@code PATCH /v1/approval_defaults}. */
@Operation(
    summary = "Update the approval defaults",
    description =
        "Changes the policies of the tiers that are named; null removes one. They apply"
            + " to plans proposed from then on. A caller that is pinned to a workspace, or"
            + " bound to operators, cannot change them.",
    tag = Tag.OPERATORS,
    answer = ApprovalDefaultsView.class)
public final class UpdateApprovalDefaultsHandler
    implements RouteHandler<UpdateApprovalDefaultsHandler.Input> {
  private final ApprovalDefaults defaults;

  UpdateApprovalDefaultsHandler(ApprovalDefaults defaults) {
    this.defaults = defaults;
  }

  record Input(
      @Field(
              doc = ApprovalDefaultsView.TIERS_DOC,
              as = ObjectNode.class,
              example = "{\"3\":{\"method\":\"passkey\"}}")
          ObjectNode tiers) {}

  @Override
  public Reply handle(Call call, Input input) {
    ObjectNode body = Json.object();
    body.set("tiers", input.tiers());
    return Reply.of(
        defaults.change(call.caller(), new Fields(body, "", true), call.mintedId()),
        ApprovalDefaultsView::of);
  }
}
