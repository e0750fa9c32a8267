package io.actiongovernance.functions.operator;

import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.plan.ArchiveOperator;

/** Changes an operator's status draft → active ⇄ paused → archived: one route for each step. */
abstract class MoveOperatorHandler implements RouteHandler<MoveOperatorHandler.Input> {
  private final Move move;
  private final OperatorViews views;

  private MoveOperatorHandler(Move move, OperatorViews views) {
    this.move = move;
    this.views = views;
  }

  private interface Move {
    Outcome<Operator> make(Caller caller, OperatorId id, String request);
  }

  record Input(OperatorId operatorId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(move.make(call.caller(), input.operatorId(), call.mintedId()), views::view);
  }

  /** {@code POST /v1/operators/{operator_id}/publish}. */
  @Operation(
      summary = "Publish a draft",
      tag = Tag.OPERATORS,
      answer = OperatorView.class,
      errors = {ErrorCode.STATE_CONFLICT, ErrorCode.CAPABILITY_UNBOUND, ErrorCode.QUOTA_EXCEEDED})
  static final class Publish extends MoveOperatorHandler {
    Publish(Operators operators, OperatorViews views) {
      super(operators::publish, views);
    }
  }

  /** {@code POST /v1/operators/{operator_id}/pause}. */
  @Operation(
      summary = "Pause an operator",
      tag = Tag.OPERATORS,
      answer = OperatorView.class,
      errors = ErrorCode.STATE_CONFLICT)
  static final class Pause extends MoveOperatorHandler {
    Pause(Operators operators, OperatorViews views) {
      super(operators::pause, views);
    }
  }

  /** {@code POST /v1/operators/{operator_id}/resume}. */
  @Operation(
      summary = "Resume an operator",
      tag = Tag.OPERATORS,
      answer = OperatorView.class,
      errors = {ErrorCode.STATE_CONFLICT, ErrorCode.CAPABILITY_UNBOUND, ErrorCode.QUOTA_EXCEEDED})
  static final class Resume extends MoveOperatorHandler {
    Resume(Operators operators, OperatorViews views) {
      super(operators::resume, views);
    }
  }

  /** {@code DELETE /v1/operators/{operator_id}}. */
  @Operation(
      summary = "Archive an operator",
      tag = Tag.OPERATORS,
      answer = OperatorView.class,
      errors = ErrorCode.STATE_CONFLICT)
  static final class Archive extends MoveOperatorHandler {
    Archive(ArchiveOperator archiveOperator, OperatorViews views) {
      super(archiveOperator::archive, views);
    }
  }
}
