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
        "Runs the inverse that the tool declares. If the guardrail that decides on the"
            + " inverse has an `approval`, the answer is 202 with a held plan of one undo"
            + " action (`undo_of`). The caller is its proposer, and it is approved like any"
            + " other plan. Asking again while that plan is open answers with the same plan."
            + " The plan can be vetoed, and the caller can withdraw it. Read `status`, never"
            + " the HTTP code, to learn what became of it.",
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

  record Input(
      ActionId actionId,
      @Field(
              doc = "Reason for the undo, kept on the receipt: up to 2,000 characters.",
              max = 2_000,
              example = "Refunded twice.")
          @Nullable String reason,
      @Field(
              doc =
                  "Name of the person or system that undoes, 1 to 200 characters; the key's name"
                      + " if left out.",
              text = Field.Text.LINE,
              min = 1,
              max = 200)
          @Nullable String undoneBy) {}

  /** The undo result. */
  @Doc("The result of an undo.")
  record ActionUndone(
      @Field(doc = "Identifier of the original action.") ActionId id,
      @Field(doc = "Always `action`.", constant = "action") String object,
      @Field(doc = "Always true: an undo that did not apply is an error.", constant = "true")
          boolean undone,
      @Field(doc = "Identifier of the undo action.") ActionId undoActionId,
      @Field(doc = "Identifier of its receipt.") ReceiptId undoReceiptId,
      @Field(
              doc =
                  "Name of the person or system that undid the action, as given in the request,"
                      + " else the key's name.",
              example = "dana@acme.example")
          String undoneBy,
      @Field(
              doc = "The principal that undid the action, as the service knows it.",
              example =
                  "{\"type\":\"key\",\"id\":\"key_01m80m2m0rvz8mtfbjg9wyx3ea\",\"name\":\"console\"}",
              as = PrincipalView.class)
          ObjectNode undoneByPrincipal,
      @Field(
              doc = "Time at which the inverse was applied: RFC 3339 in UTC, to the millisecond.",
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
