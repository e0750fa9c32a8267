package io.actiongovernance.functions.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The one place that says with which code a refusal is answered (specification, Codes), and with
 * which details.
 */
public final class Refusals {
  private static final Duration PENDING_RETRY = Duration.ofSeconds(5);

  private Refusals() {}

  /** The error that a refusal is answered with. */
  public static ApiError error(Refusal refusal) {
    return new ApiError(
        code(refusal), refusal.sentence(), refusal.path(), details(refusal), retryAfter(refusal));
  }

  private static ErrorCode code(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Invalid _ -> ErrorCode.INVALID_PARAMETER;
      case Refusal.Missing _ -> ErrorCode.MISSING_PARAMETER;
      case Refusal.TooLarge _ -> ErrorCode.INVALID_REQUEST;
      case Refusal.NotFound _ -> ErrorCode.NOT_FOUND;
      case Refusal.BeyondKey _ -> ErrorCode.INSUFFICIENT_SCOPE;
      case Refusal.Conflict _, Refusal.UnknownForAnother _, Refusal.UndoUnknown _ ->
          ErrorCode.STATE_CONFLICT;
      case Refusal.EntityLocked _ -> ErrorCode.ENTITY_LOCKED;
      case Refusal.NotEligible _ -> ErrorCode.APPROVER_NOT_ELIGIBLE;
      case Refusal.ConnectorInUse _ -> ErrorCode.CONNECTOR_IN_USE;
      case Refusal.NotUndoable _ -> ErrorCode.ACTION_NOT_UNDOABLE;
      case Refusal.Halted _ -> ErrorCode.HALTED;
      case Refusal.PolicyBlocked _ -> ErrorCode.POLICY_BLOCKED;
      case Refusal.CapabilityUnbound _ -> ErrorCode.CAPABILITY_UNBOUND;
      case Refusal.EarlyAccess _ -> ErrorCode.LISTING_EARLY_ACCESS;
      case Refusal.AuthFailed _ -> ErrorCode.AUTH_FAILED;
      case Refusal.QuotaExceeded _ -> ErrorCode.QUOTA_EXCEEDED;
      case Refusal.UpstreamFailed _ -> ErrorCode.CONNECTOR_UPSTREAM_ERROR;
      case Refusal.Busy _, Refusal.Unfinished _ -> ErrorCode.SERVICE_UNAVAILABLE;
    };
  }

  private static @Nullable ObjectNode details(Refusal refusal) {
    return switch (refusal) {
      case Refusal.EntityLocked locked ->
          Json.object()
              .put("entity_key", locked.entityKey().value())
              .put("holding_plan_id", locked.holdingPlan().value())
              .put("retry_after", locked.retryAfter().toSeconds());
      case Refusal.NotEligible(String reason, _) -> Json.object().put("reason", reason);
      case Refusal.Halted(var halt) ->
          Json.object().put("halt_id", halt == null ? null : halt.value());
      case Refusal.UnknownForAnother(var holder) ->
          Json.object().put("holder_action_id", holder.value());
      case Refusal.UndoUnknown(var undo) -> Json.object().put("undo_action_id", undo.value());
      case Refusal.ConnectorInUse(String capability) -> Json.object().put("capability", capability);
      case Refusal.CapabilityUnbound(String capability) ->
          Json.object().put("capability", capability);
      case Refusal.PolicyBlocked blocked -> details(blocked);
      default -> null;
    };
  }

  private static ObjectNode details(Refusal.PolicyBlocked blocked) {
    ObjectNode details =
        Json.object()
            .put("plan_id", blocked.planId().value())
            .put("plan_status", blocked.planStatus());
    details.set("verdicts", Json.tree(blocked.verdicts()));
    return details;
  }

  private static @Nullable Duration retryAfter(Refusal refusal) {
    return switch (refusal) {
      case Refusal.EntityLocked locked -> locked.retryAfter();
      case Refusal.Busy(_, Duration retryAfter) -> retryAfter;
      case Refusal.QuotaExceeded(_, var retryAfter) -> retryAfter;
      case Refusal.Unfinished _ -> PENDING_RETRY;
      default -> null;
    };
  }
}
