package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The errors that plans and undos answer with (specification, Codes; contract, section 2). */
public final class PlanReplies {
  private static final Duration LOCK_RETRY = Duration.ofSeconds(1);
  private static final Duration PENDING_RETRY = Duration.ofSeconds(5);
  private static final Duration QUOTA_RETRY = Duration.ofSeconds(60);

  private PlanReplies() {}

  /** 409 {@code entity_locked}, naming the entity and the holding plan. */
  public static Reply locked(EntityLock lock, Instant now) {
    Duration retry = retryAfter(lock, now);
    ObjectNode details =
        Json.object()
            .put("entity_key", lock.entityKey())
            .put("holding_plan_id", lock.plan().value())
            .put("retry_after", retry.toSeconds());
    String message =
        "The entity %s is locked by the plan %s.".formatted(lock.entityKey(), lock.plan());
    return Reply.error(new ApiError(ErrorCode.ENTITY_LOCKED, message, null, details, retry));
  }

  /** While an entity settles it is known when; else it is worth to ask again soon. */
  private static Duration retryAfter(EntityLock lock, Instant now) {
    Instant settlesAt = lock.settlesAt();
    if (settlesAt == null || !now.isBefore(settlesAt)) {
      return LOCK_RETRY;
    }
    return Duration.ofSeconds(Duration.between(now, settlesAt).plusMillis(999).toSeconds());
  }

  /** 403 {@code approver_not_eligible}, with what keeps the caller from deciding. */
  public static Reply notEligible(Eligibility.Obstacle obstacle) {
    ObjectNode details = Json.object().put("reason", obstacle.wire());
    String message =
        switch (obstacle) {
          case SELF_APPROVAL ->
              "Nobody approves what they proposed: another key, with another owner, must.";
        };
    return Reply.error(new ApiError(ErrorCode.APPROVER_NOT_ELIGIBLE, message, null, details, null));
  }

  static Reply notOpen(Plan plan, Instant now) {
    String status = plan.state() == Plan.State.EXECUTING ? "executing" : plan.status(now).wire();
    return Reply.error(ErrorCode.STATE_CONFLICT, "The plan is already " + status + ".");
  }

  /** 429 {@code quota_exceeded}: the allowance's cap. */
  public static Reply noAllowance() {
    return Reply.error(
        new ApiError(
            ErrorCode.QUOTA_EXCEEDED,
            "The action allowance's hard cap leaves no room for these actions.",
            null,
            null,
            QUOTA_RETRY));
  }

  /** 409 {@code halted}, naming the halt; not to be retried blindly. */
  public static Reply halted(HaltRegister.Stop stop) {
    ObjectNode details =
        Json.object().put("halt_id", stop.halt() == null ? null : stop.halt().value());
    return Reply.error(
        new ApiError(
            ErrorCode.HALTED,
            "A halt is in force: nothing in its scope may run.",
            null,
            details,
            null));
  }

  /**
   * 503: the work goes on, and the same request under the same Idempotency-Key answers with what
   * came of it.
   */
  public static Reply stillExecuting() {
    return Reply.pending("The execution is not finished yet and goes on.", PENDING_RETRY);
  }

  /**
   * 422 {@code policy_blocked}, with what became of each action: its verdict may have been ALERT.
   */
  public static Reply policyBlocked(@Nullable Plan plan, List<Action> refused, Instant now) {
    ObjectNode details = Json.object();
    Action first = refused.getFirst();
    details.put("plan_id", first.terms().planId().value());
    details.put("plan_status", plan == null ? null : plan.status(now).wire());
    ArrayNode verdicts = details.putArray("verdicts");
    for (Action action : refused) {
      Action.Disposal disposal = Objects.requireNonNull(action.disposal());
      verdicts
          .addObject()
          .put("action_id", action.id().value())
          .put("decision", disposal.disposition().name())
          .put("tier", disposal.verdict().tier())
          .put("rule", disposal.verdict().rule())
          .put("connector", action.terms().connector().value())
          .put("tool", action.terms().tool())
          .put("entity_key", action.terms().entityKey())
          .put("receipt_id", disposal.receiptId().value());
    }
    return Reply.error(
        new ApiError(
            ErrorCode.POLICY_BLOCKED,
            "Every action was refused by the trust policy.",
            null,
            details,
            null));
  }
}
