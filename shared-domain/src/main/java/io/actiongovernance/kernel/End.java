package io.actiongovernance.kernel;

import io.actiongovernance.action.Disposition;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import org.jspecify.annotations.Nullable;

/** Result of an execution, as its receipt records it. Immutable. */
sealed interface End {
  Verdict verdict();

  ReceiptOutcome outcome();

  default Disposition disposition() {
    return Disposition.of(verdict().decision());
  }

  default @Nullable String error() {
    return null;
  }

  default @Nullable String reason() {
    return null;
  }

  /**
   * Returns the action that has this action's idempotency key and causes this end; null if none.
   */
  default @Nullable Holder holder() {
    return null;
  }

  /**
   * Returns the result of the action's own call; null if it was not called, or if the result is
   * lost.
   */
  default @Nullable CallResult result() {
    return null;
  }

  record Refused(Verdict verdict, @Nullable String reason, @Nullable Holder holder) implements End {
    /** Fixed error of a refused action (specification, Action object). */
    static final String BLOCKED = "blocked by trust policy";

    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.REFUSED;
    }

    @Override
    public Disposition disposition() {
      return Disposition.BLOCK;
    }

    @Override
    public String error() {
      return BLOCKED;
    }
  }

  record Deduplicated(Verdict verdict, Holder holder) implements End {
    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.DEDUPLICATED;
    }

    @Override
    public Disposition disposition() {
      return Disposition.DEDUP;
    }
  }

  record Applied(Verdict verdict, CallResult.Applied result) implements End {
    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.APPLIED;
    }
  }

  /**
   * The action already applied: its claim records the call, but its row was restored to an earlier
   * time.
   */
  record AppliedBefore(Verdict verdict) implements End {
    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.APPLIED;
    }

    @Override
    public String reason() {
      return "recorded_again";
    }
  }

  /**
   * Nothing took effect.
   *
   * @param result null if the action was not called
   */
  record Failed(Verdict verdict, String error, @Nullable CallResult result) implements End {
    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.FAILED;
    }
  }

  /** Nobody can know whether the action, or the holder of its key, took effect. */
  record Unknown(
      Verdict verdict, String why, CallResult.@Nullable Unknown result, @Nullable Holder holder)
      implements End {
    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.UNKNOWN;
    }

    @Override
    public String error() {
      return "outcome unknown: " + why;
    }
  }
}
