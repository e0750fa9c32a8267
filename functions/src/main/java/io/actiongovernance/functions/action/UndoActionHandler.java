package io.actiongovernance.functions.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.OwnName;
import io.actiongovernance.action.Action;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.plan.PlanView;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.RetrievePlan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/actions/{action_id}/undo}. */
@Operation(
    summary = "Undo an applied action",
    description =
        "Runs the inverse that the tool declares. Where the guardrail that decides on the inverse has an `approval`, it is answered with 202 and a held plan of one undo action (`undo_of`), proposed by whoever asks and approved as any other; asking again while that is open is answered with the same plan. The plan can be vetoed, and withdrawn by who asked; `status` tells what became of it, never the code.",
    tag = Tag.ACTIONS,
    answer = UndoActionHandler.ActionUndone.class,
    accepted = PlanView.class,
    errors = {
      ErrorCode.ACTION_NOT_UNDOABLE,
      ErrorCode.ENTITY_LOCKED,
      ErrorCode.HALTED,
      ErrorCode.POLICY_BLOCKED,
      ErrorCode.STATE_CONFLICT,
      ErrorCode.QUOTA_EXCEEDED,
      ErrorCode.CONNECTOR_UPSTREAM_ERROR
    })
public final class UndoActionHandler implements RouteHandler<UndoActionHandler.Input> {
  private final UndoAction undoAction;
  private final RetrievePlan retrievePlan;
  private final InstantSource clock;

  UndoActionHandler(UndoAction undoAction, RetrievePlan retrievePlan, InstantSource clock) {
    this.undoAction = undoAction;
    this.retrievePlan = retrievePlan;
    this.clock = clock;
  }

  /** Which one, why, and who says so. */
  record Input(
      ActionId actionId,
      @Field(
              doc = "Why, kept on the receipt: up to 2,000 characters.",
              max = 2_000,
              example = "Refunded twice.")
          @Nullable String reason,
      @Field(
              doc = "Who undoes, 1 to 200 characters; left out, the key's name.",
              text = Field.Text.LINE,
              min = 1,
              max = 200)
          @Nullable String undoneBy) {}

  /** The undo result. */
  @Doc("What an undo came to.")
  record ActionUndone(
      @Field(doc = "Identifier of the original action.") ActionId id,
      @Field(doc = "Always `action`.", constant = "action") String object,
      @Field(doc = "Always true: an undo that did not apply is an error.", constant = "true")
          boolean undone,
      @Field(doc = "Identifier of the undo action.") ActionId undoActionId,
      @Field(doc = "Identifier of its receipt.") ReceiptId undoReceiptId,
      @Field(
              doc = "Who undid it, as named in the request, else the key's name.",
              example = "dana@acme.example")
          String undoneBy,
      @Field(
              doc = "Who undid it, as the service knows it.",
              example =
                  "{\"type\":\"key\",\"id\":\"key_01m80m2m0rvz8mtfbjg9wyx3ea\",\"name\":\"console\"}",
              as = PrincipalView.class)
          ObjectNode undoneByPrincipal,
      @Field(
              doc = "When the inverse was applied: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:33.724Z")
          Instant undoneAt) {
    static ActionUndone of(UndoAction.Answer.Undone undone) {
      Action undo = undone.undo();
      Action.Disposal disposal = Objects.requireNonNull(undo.disposal());
      Action.Undoing undoing = Objects.requireNonNull(undo.terms().undoing());
      return new ActionUndone(
          undone.original().id(),
          "action",
          true,
          undo.id(),
          disposal.receiptId(),
          undoing.undoneBy(),
          undoing.decider().principal().wire(),
          disposal.disposedAt());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    OwnName.require(call.caller(), "undone_by", input.undoneBy());
    UndoAction.Request request =
        new UndoAction.Request(
            input.actionId(),
            new ActionId(ActionId.PREFIX + call.mintedId()),
            input.undoneBy(),
            input.reason(),
            Settings.LONGEST_WAIT);
    return switch (undoAction.undo(call.caller(), request)) {
      case Done(UndoAction.Answer.Undone undone) -> Reply.ok(ActionUndone.of(undone));
      case Done(UndoAction.Answer.Held(Plan plan)) ->
          Reply.accepted(PlanView.of(retrievePlan.read(plan), clock.instant()));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
