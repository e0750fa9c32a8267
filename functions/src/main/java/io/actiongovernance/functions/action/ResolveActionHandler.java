package io.actiongovernance.functions.action;

import io.actiongovernance.action.Action;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.plan.PlanReplies;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.kernel.ResolveAction.Result;
import java.util.Optional;

/** {@code POST /v1/actions/{action_id}/resolve}. */
public final class ResolveActionHandler implements FieldsHandler {
  private final ResolveAction resolveAction;

  public ResolveActionHandler(Wiring wiring) {
    this.resolveAction = wiring.loop().resolveAction();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    boolean applied =
        body.choice("outcome", ResolveActionHandler::applied, "applied or not_applied");
    String reference = body.textOrNull("upstream_reference", 1, 500);
    String reason = body.text("reason", 1, 2_000);
    body.done();
    ActionId id = call.id("action_id", ActionId::parse);
    ReceiptId receiptId = new ReceiptId(ReceiptId.PREFIX + call.mintedId());
    return reply(
        resolveAction.resolve(
            call.caller(), new ResolveAction.Request(id, applied, reference, reason, receiptId)));
  }

  private static Optional<Boolean> applied(String outcome) {
    return switch (outcome) {
      case "applied" -> Optional.of(true);
      case "not_applied" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static Reply reply(Result result) {
    return switch (result) {
      case Result.Resolved(Action action) -> Reply.ok(ActionView.of(action));
      case Result.NotFound _ -> Reply.notFound("action");
      case Result.NotEligible(var obstacle) -> PlanReplies.notEligible(obstacle);
      case Result.NotOpen(String why) -> Reply.error(ErrorCode.STATE_CONFLICT, why);
      case Result.HeldBy(ActionId holder) ->
          Reply.error(
              new ApiError(
                  ErrorCode.STATE_CONFLICT,
                  "The action is unknown for the sake of another: resolve that.",
                  null,
                  Json.object().put("holder_action_id", holder.value()),
                  null));
    };
  }
}
