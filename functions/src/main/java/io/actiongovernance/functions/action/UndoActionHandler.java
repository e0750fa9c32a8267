package io.actiongovernance.functions.action;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.plan.PlanReplies;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.kernel.UndoAction.Result;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/** {@code POST /v1/actions/{action_id}/undo}. */
public final class UndoActionHandler implements FieldsHandler {
  private final UndoAction undoAction;
  private final Plans plans;
  private final InstantSource clock;

  public UndoActionHandler(Wiring wiring) {
    this.undoAction = wiring.loop().undoAction();
    this.plans = wiring.loop().plans();
    this.clock = wiring.clock();
  }

  /** The undo result. */
  record View(
      String id,
      String object,
      boolean undone,
      String undoActionId,
      String undoReceiptId,
      String undoneBy,
      JsonNode undoneByPrincipal,
      Instant undoneAt) {
    static View of(Action original, Action undo) {
      Action.Disposal disposal = Objects.requireNonNull(undo.disposal());
      Action.Undoing undoing = Objects.requireNonNull(undo.terms().undoing());
      return new View(
          original.id().value(),
          "action",
          true,
          undo.id().value(),
          disposal.receiptId().value(),
          undoing.undoneBy(),
          undoing.decider().principal().wire(),
          disposal.disposedAt());
    }
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    String reason = body.textOrNull("reason", 0, 2_000);
    String undoneBy = body.nameOrNull("undone_by", 1, 200);
    body.done();
    ActionId id = call.id("action_id", ActionId::parse);
    return reply(
        undoAction.undo(
            call.caller(),
            new UndoAction.Request(
                id,
                new ActionId(ActionId.PREFIX + call.mintedId()),
                undoneBy,
                reason,
                Settings.LONGEST_WAIT)));
  }

  private Reply reply(Result result) {
    return switch (result) {
      case Result.Undone(Action original, Action undo) -> Reply.ok(View.of(original, undo));
      case Result.Refused(Action undo) ->
          PlanReplies.policyBlocked(plan(undo), List.of(undo), clock.instant());
      case Result.Failed(Action undo) ->
          Reply.error(
              ErrorCode.CONNECTOR_UPSTREAM_ERROR, failure(Objects.requireNonNull(undo.disposal())));
      case Result.StillExecuting _ -> PlanReplies.stillExecuting();
      case Result.NotFound _ -> Reply.notFound("action");
      case Result.Unknown(ActionId undo) ->
          Reply.error(
              new ApiError(
                  ErrorCode.STATE_CONFLICT,
                  "Nobody knows yet whether an earlier undo applied: resolve it first.",
                  null,
                  Json.object().put("undo_action_id", undo.value()),
                  null));
      case Result.NotUndoable(String why) -> Reply.error(ErrorCode.ACTION_NOT_UNDOABLE, why);
      case Result.Locked(var lock) -> PlanReplies.locked(lock, clock.instant());
      case Result.NoAllowance _ -> PlanReplies.noAllowance();
      case Result.Halted(var stop) -> PlanReplies.halted(stop);
    };
  }

  private static String failure(Action.Disposal disposal) {
    return disposal.outcome() == ReceiptOutcome.UNKNOWN
        ? "Nobody knows whether the inverse applied: " + disposal.error()
        : "The inverse did not apply: " + disposal.error();
  }

  private Plan plan(Action undo) {
    return plans.find(undo.partition(), undo.terms().planId()).orElseThrow();
  }
}
