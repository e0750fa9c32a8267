package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.plan.ArchiveOperator;

/** {@code DELETE /v1/operators/{operator_id}}. */
@Operation(
    summary = "Archive an operator",
    tag = Tag.OPERATORS,
    answer = OperatorView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class ArchiveOperatorHandler implements RouteHandler<ArchiveOperatorHandler.Input> {
  private final ArchiveOperator archiveOperator;
  private final OperatorViews views;

  public ArchiveOperatorHandler(ArchiveOperator archiveOperator, OperatorViews views) {
    this.archiveOperator = archiveOperator;
    this.views = views;
  }

  /** Which one. */
  record Input(OperatorId operatorId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        archiveOperator.archive(call.caller(), input.operatorId(), call.mintedId()), views::view);
  }
}
