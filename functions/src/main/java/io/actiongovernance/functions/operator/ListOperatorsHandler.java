package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.operator.OperatorFilter;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/operators}. */
public final class ListOperatorsHandler implements FieldsHandler {
  private final Operators operators;
  private final OperatorReplies replies;

  public ListOperatorsHandler(Operators operators, OperatorReplies replies) {
    this.operators = operators;
    this.replies = replies;
  }

  @Override
  public Reply handle(Call call) {
    OperatorFilter filter =
        new OperatorFilter(
            call.query("status", OperatorStatus::parse, "draft, active, paused or archived"),
            call.query("workspace_id"));
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return call.list(operators.list(call.caller(), filter, page), replies::view);
  }
}
