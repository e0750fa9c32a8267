package io.actiongovernance.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reason for which a request was refused, with the information for its answer (specification,
 * Errors). The API assigns the status and code. Immutable.
 */
public sealed interface Refusal {
  /** Returns the reason in words for people. Receipts of refusals keep it. */
  String sentence();

  /** Returns the field that is wrong, as {@code actions[0].tool}; null if no field is wrong. */
  default @Nullable String path() {
    return null;
  }

  /** A field of the request breaks its rule. */
  record Invalid(String path, String sentence) implements Refusal {}

  /** A required field of the request is absent. */
  record Missing(String path, String sentence) implements Refusal {}

  /** The request would create something too large to keep. */
  record TooLarge(String sentence) implements Refusal {}

  /**
   * The object does not exist for the caller. An object of another tenant gives the same answer.
   *
   * @param what a singular noun: {@code plan}
   */
  record NotFound(String what) implements Refusal {
    @Override
    public String sentence() {
      return "No such " + what + ".";
    }
  }

  /** The action has no result of its own, because another action had its idempotency key. */
  record ResultOfAnother(ActionId holder) implements Refusal {
    @Override
    public String sentence() {
      return "The action was not called because another one holds its idempotency key. That one, details.holder_action_id, may have a result.";
    }
  }

  /** The key may not do this, regardless of its scopes. */
  record BeyondKey(String sentence) implements Refusal {}

  /** The credentials in the request are not valid, or are no longer valid. */
  record Unauthenticated(String sentence) implements Refusal {}

  /** The object is in a state that does not allow this, or has changed since. */
  record Conflict(String sentence) implements Refusal {}

  /** The action's outcome is unknown because of another action, which must be resolved instead. */
  record UnknownForAnother(ActionId holder) implements Refusal {
    @Override
    public String sentence() {
      return "The outcome is unknown because another action holds the idempotency key. Resolve that one, details.holder_action_id.";
    }
  }

  /** The outcome of an earlier undo is unknown, and must be resolved first. */
  record UndoUnknown(ActionId undo) implements Refusal {
    @Override
    public String sentence() {
      return "The outcome of an earlier undo is still unknown. Resolve that undo first.";
    }
  }

  /**
   * A plan has the lock of the entity.
   *
   * @param retryAfter time until another request is worthwhile
   */
  record EntityLocked(EntityKey entityKey, PlanId holdingPlan, Duration retryAfter)
      implements Refusal {
    @Override
    public String sentence() {
      return "The entity %s is locked by the plan %s.".formatted(entityKey, holdingPlan);
    }
  }

  /**
   * The caller may not decide this.
   *
   * @param reason the reason in one word, as {@code self_approval}
   */
  record NotEligible(String reason, String sentence) implements Refusal {}

  /** The person must sign what they approve, and did not sign it. */
  record SignatureRequired() implements Refusal {
    @Override
    public String sentence() {
      return "This approval must be signed with a passkey. Fetch a challenge, and sign it.";
    }
  }

  /** The signature is not for the requested approval, or not by the person who was asked. */
  record SignatureInvalid(String sentence) implements Refusal {}

  /** The statement to sign no longer describes the plan. */
  record ApprovalStale() implements Refusal {
    @Override
    public String sentence() {
      return "The signed statement no longer describes the plan. Read the plan again, and fetch a new challenge.";
    }
  }

  /** The challenge was used, has expired, or belongs to another person. */
  record ChallengeUsed() implements Refusal {
    @Override
    public String sentence() {
      return "The challenge was used, has expired, or is not yours. Fetch a new one.";
    }
  }

  /** An active operator needs a capability that only this connector fulfils. */
  record ConnectorInUse(String capability) implements Refusal {
    @Override
    public String sentence() {
      return "An active operator depends on " + capability + ", which no other connector fulfils.";
    }
  }

  /** The action has nothing to undo, or it can no longer be undone. */
  record NotUndoable(String sentence) implements Refusal {}

  /**
   * A halt is in force.
   *
   * @param halt null for a halt that is just beginning
   */
  record Halted(@Nullable HaltId halt) implements Refusal {
    @Override
    public String sentence() {
      return "A halt is in force: nothing in its scope may run.";
    }
  }

  /**
   * A chosen action was proposed at a permitted time, and the guardrails refuse it at this time.
   *
   * @param rule the guardrail whose window is closed, or whose window refuses it; null if none
   */
  record OutsideWindow(ActionId actionId, @Nullable String rule) implements Refusal {
    @Override
    public String sentence() {
      return "The trust policy does not permit "
          + actionId
          + " at this time. Approve the plan within its window, or without this action.";
    }
  }

  /**
   * Policy has refused every action.
   *
   * @param planStatus the plan's status; null if there is no plan
   * @param verdicts result for each action, whose verdict may have been ALERT
   */
  record PolicyBlocked(PlanId planId, @Nullable String planStatus, List<Blocked> verdicts)
      implements Refusal {
    public PolicyBlocked {
      verdicts = List.copyOf(verdicts);
    }

    @Override
    public String sentence() {
      return "Every action was refused by the trust policy.";
    }

    /**
     * Action that was refused.
     *
     * @param limit the limit that refused it, as answers show it; null if no limit did
     */
    public record Blocked(
        ActionId actionId,
        String decision,
        int tier,
        @Nullable String rule,
        @Nullable JsonNode limit,
        ConnectorId connector,
        String tool,
        String entityKey,
        ReceiptId receiptId) {}
  }

  /** No connector that the operator may use fulfils a capability that the operator needs. */
  record CapabilityUnbound(String capability) implements Refusal {
    @Override
    public String sentence() {
      return "No connector the operator may use fulfils the capability " + capability + ".";
    }
  }

  /** The listing cannot be installed yet. */
  record EarlyAccess(String listingId) implements Refusal {
    @Override
    public String sentence() {
      return "The listing " + listingId + " is in early access and cannot be installed yet.";
    }
  }

  /** The source system refuses the credentials. */
  record AuthFailed(String sentence) implements Refusal {}

  /**
   * The limit has been reached. It helps to wait or to free room.
   *
   * @param retryAfter time until another request is worthwhile; null if only freeing room helps
   */
  record QuotaExceeded(String sentence, @Nullable Duration retryAfter) implements Refusal {
    public QuotaExceeded(String sentence) {
      this(sentence, null);
    }
  }

  record UpstreamFailed(String sentence) implements Refusal {}

  /** The request cannot be fulfilled at this moment, and nothing was done. */
  record Busy(String sentence, Duration retryAfter) implements Refusal {}

  /**
   * The wait ended before the work, which continues. Another request under the same Idempotency-Key
   * returns its result.
   */
  record Unfinished() implements Refusal {
    @Override
    public String sentence() {
      return "The execution has not finished yet and continues. Send the same request again under the same Idempotency-Key to get its result.";
    }
  }
}
