package io.actiongovernance.functions.operator;

import io.actiongovernance.approval.ApprovalDefaults;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;

/** {@code GET /v1/approval_defaults}. */
@Operation(
    summary = "Retrieve the approval defaults",
    description =
        "The approval policies for actions that are held by a guardrail without a"
            + " policy of its own.",
    tag = Tag.OPERATORS,
    answer = ApprovalDefaultsView.class)
public final class RetrieveApprovalDefaultsHandler implements RouteHandler<NoInput> {
  private final ApprovalDefaults defaults;

  RetrieveApprovalDefaultsHandler(ApprovalDefaults defaults) {
    this.defaults = defaults;
  }

  @Override
  public Reply handle(Call call, NoInput input) {
    return Reply.ok(ApprovalDefaultsView.of(defaults.find(call.caller().partition())));
  }
}
