package io.actiongovernance.functions.api;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.ErrorDetails;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refusal.PolicyBlocked.Blocked;
import io.actiongovernance.policy.Decision;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps refusals to error codes and details (specification, Codes). No other class does this. */
public final class Refusals {
  private static final Duration PENDING_RETRY = Duration.ofSeconds(5);

  private Refusals() {}

  public static ApiError error(Refusal refusal) {
    return new ApiError(
        code(refusal), refusal.sentence(), refusal.path(), details(refusal), retryAfter(refusal));
  }

  private static ErrorCode code(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Invalid _ -> ErrorCode.INVALID_PARAMETER;
      case Refusal.Missing _ -> ErrorCode.MISSING_PARAMETER;
      case Refusal.TooLarge _ -> ErrorCode.INVALID_REQUEST;
      case Refusal.NotFound _, Refusal.ResultOfAnother _ -> ErrorCode.NOT_FOUND;
      case Refusal.Unauthenticated _ -> ErrorCode.UNAUTHENTICATED;
      case Refusal.BeyondKey _ -> ErrorCode.INSUFFICIENT_SCOPE;
      case Refusal.Conflict _, Refusal.UnknownForAnother _, Refusal.UndoUnknown _ ->
          ErrorCode.STATE_CONFLICT;
      case Refusal.EntityLocked _ -> ErrorCode.ENTITY_LOCKED;
      case Refusal.NotEligible _ -> ErrorCode.APPROVER_NOT_ELIGIBLE;
      case Refusal.SignatureRequired _ -> ErrorCode.SIGNATURE_REQUIRED;
      case Refusal.ApprovalStale _ -> ErrorCode.APPROVAL_STALE;
      case Refusal.ChallengeUsed _ -> ErrorCode.CHALLENGE_USED;
      case Refusal.ConnectorInUse _ -> ErrorCode.CONNECTOR_IN_USE;
      case Refusal.NotUndoable _ -> ErrorCode.ACTION_NOT_UNDOABLE;
      case Refusal.Halted _ -> ErrorCode.HALTED;
      case Refusal.OutsideWindow _ -> ErrorCode.OUTSIDE_WINDOW;
      case Refusal.PolicyBlocked _ -> ErrorCode.POLICY_BLOCKED;
      case Refusal.CapabilityUnbound _ -> ErrorCode.CAPABILITY_UNBOUND;
      case Refusal.EarlyAccess _ -> ErrorCode.LISTING_EARLY_ACCESS;
      case Refusal.SignatureInvalid _ -> ErrorCode.SIGNATURE_INVALID;
      case Refusal.AuthFailed _ -> ErrorCode.AUTH_FAILED;
      case Refusal.QuotaExceeded _ -> ErrorCode.QUOTA_EXCEEDED;
      case Refusal.UpstreamFailed _ -> ErrorCode.CONNECTOR_UPSTREAM_ERROR;
      case Refusal.Busy _, Refusal.Unfinished _ -> ErrorCode.SERVICE_UNAVAILABLE;
    };
  }

  private static @Nullable ErrorDetails details(Refusal refusal) {
    return switch (refusal) {
      case Refusal.EntityLocked(EntityKey key, PlanId holding, Duration retryAfter) ->
          new ErrorDetails.EntityLocked(key.value(), holding, retryAfter.toSeconds());
      case Refusal.NotEligible(String reason, _) -> new ErrorDetails.NotEligible(reason);
      case Refusal.Halted(HaltId halt) -> new ErrorDetails.Halted(halt);
      case Refusal.OutsideWindow(ActionId action, String rule) ->
          new ErrorDetails.OutsideWindow(action, rule);
      case Refusal.UnknownForAnother(ActionId holder) -> new ErrorDetails.Unresolved(holder, null);
      case Refusal.ResultOfAnother(ActionId holder) -> new ErrorDetails.Holder(holder);
      case Refusal.UndoUnknown(ActionId undo) -> new ErrorDetails.Unresolved(null, undo);
      case Refusal.ConnectorInUse(String capability) -> new ErrorDetails.Capability(capability);
      case Refusal.CapabilityUnbound(String capability) -> new ErrorDetails.Capability(capability);
      case Refusal.PolicyBlocked(PlanId plan, String status, List<Blocked> verdicts) ->
          new ErrorDetails.PolicyBlocked(
              plan, status, verdicts.stream().map(Refusals::blocked).toList());
      default -> null;
    };
  }

  private static ErrorDetails.Blocked blocked(Blocked blocked) {
    return new ErrorDetails.Blocked(
        blocked.actionId(),
        Decision.valueOf(blocked.decision()),
        blocked.tier(),
        blocked.rule(),
        blocked.limit(),
        blocked.connector(),
        blocked.tool(),
        blocked.entityKey(),
        blocked.receiptId());
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
