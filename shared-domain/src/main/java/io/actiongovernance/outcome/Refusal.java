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
 * Why a request was refused (specification, Errors): every reason there is, with what its answer
 * tells. Which status and code go with it is the API's to say. Immutable.
 */
public sealed interface Refusal {
  /** For people: what was wrong. Receipts of refusals keep it. */
  String sentence();

  /** The field that is wrong, as {@code actions[0].tool}; null if none is. */
  default @Nullable String path() {
    return null;
  }

  /** A field of the request breaks its rule. */
  record Invalid(String path, String sentence) implements Refusal {}

  /** A required field of the request is absent. */
  record Missing(String path, String sentence) implements Refusal {}

  /** What the request would make is larger than what can be kept. */
  record TooLarge(String sentence) implements Refusal {}

  /**
   * There is no such thing for the caller; another tenant's reads the same.
   *
   * @param what a singular noun: {@code plan}
   */
  record NotFound(String what) implements Refusal {
    @Override
    public String sentence() {
      return "No such " + what + ".";
    }
  }

  /** An action that another's idempotency key stood for has no result of its own. */
  record ResultOfAnother(ActionId holder) implements Refusal {
    @Override
    public String sentence() {
      return "The action was not called, since another had its idempotency key: that one may have a result.";
    }
  }

  /** The key may not do this, whatever scopes it has. */
  record BeyondKey(String sentence) implements Refusal {}

  /** What the request shows of its caller is not good, or not any more. */
  record Unauthenticated(String sentence) implements Refusal {}

  /** What it is about is in a state that does not allow it, or was changed meanwhile. */
  record Conflict(String sentence) implements Refusal {}

  /** An action is unknown for the sake of another: that one is to be resolved. */
  record UnknownForAnother(ActionId holder) implements Refusal {
    @Override
    public String sentence() {
      return "The action is unknown for the sake of another: resolve that.";
    }
  }

  /** An earlier undo is unknown, and to be resolved first. */
  record UndoUnknown(ActionId undo) implements Refusal {
    @Override
    public String sentence() {
      return "Nobody knows yet whether an earlier undo applied: resolve it first.";
    }
  }

  /**
   * A plan has the lock of an entity.
   *
   * @param retryAfter when it is worth to ask again
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
   * @param reason one word for it, as {@code self_approval}
   */
  record NotEligible(String reason, String sentence) implements Refusal {}

  /** A person is to sign what they approve, and did not. */
  record SignatureRequired() implements Refusal {
    @Override
    public String sentence() {
      return "A signature by a passkey is asked for: fetch a challenge, and sign it.";
    }
  }

  /** What was signed is not what was asked for, or not by whom it was asked of. */
  record SignatureInvalid(String sentence) implements Refusal {}

  /** What was to be signed no longer describes the plan. */
  record ApprovalStale() implements Refusal {
    @Override
    public String sentence() {
      return "The statement no longer describes the plan: look at it again, and fetch another.";
    }
  }

  /** The challenge was used, has expired, or is not this person's. */
  record ChallengeUsed() implements Refusal {
    @Override
    public String sentence() {
      return "The challenge was used, has expired, or is not yours: fetch another.";
    }
  }

  /** An active operator needs a capability that only this connector fulfils. */
  record ConnectorInUse(String capability) implements Refusal {
    @Override
    public String sentence() {
      return "An active operator depends on " + capability + ", which no other connector fulfils.";
    }
  }

  /** The action has nothing that can be undone, or not any more. */
  record NotUndoable(String sentence) implements Refusal {}

  /**
   * A halt is in force.
   *
   * @param halt null for one that is just being made
   */
  record Halted(@Nullable HaltId halt) implements Refusal {
    @Override
    public String sentence() {
      return "A halt is in force: nothing in its scope may run.";
    }
  }

  /**
   * Policy has refused every action.
   *
   * @param planStatus the plan's, or null if there is no plan
   * @param verdicts what became of each action: its verdict may have been ALERT
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
     * An action that was refused.
     *
     * @param limit the limit that refused it, as it is answered; null if none did
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

  /** No connector that the operator may use fulfils a capability it needs. */
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
      return "The listing " + listingId + " is early access.";
    }
  }

  /** The source system refuses the credentials. */
  record AuthFailed(String sentence) implements Refusal {}

  /**
   * There are as many as there may be; room comes with time or by making some.
   *
   * @param retryAfter when it is worth to ask again; null where only making room helps
   */
  record QuotaExceeded(String sentence, @Nullable Duration retryAfter) implements Refusal {
    public QuotaExceeded(String sentence) {
      this(sentence, null);
    }
  }

  /** The source system failed. */
  record UpstreamFailed(String sentence) implements Refusal {}

  /** It cannot be done at this moment; nothing was done. */
  record Busy(String sentence, Duration retryAfter) implements Refusal {}

  /**
   * The work could not be awaited any longer and goes on: the same request under the same
   * Idempotency-Key answers with what came of it.
   */
  record Unfinished() implements Refusal {
    @Override
    public String sentence() {
      return "The execution is not finished yet and goes on.";
    }
  }
}
