package io.actiongovernance.kernel;

import io.actiongovernance.action.Disposition;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import org.jspecify.annotations.Nullable;

/** What an execution comes to, as its receipt says it. Immutable. */
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

  /** The action that has its idempotency key, for whose sake it ends so; null if none has. */
  default @Nullable Holder holder() {
    return null;
  }

  /** What its own call came to; null if it was not called, or nothing is left of that. */
  default @Nullable CallResult result() {
    return null;
  }

  /** Refused by the policy. */
  record Refused(Verdict verdict, @Nullable String reason, @Nullable Holder holder) implements End {
    /** The fixed error of a refused action (specification, Action object). */
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

  /** Its idempotency key had been applied before, for the same effect. */
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

  /** Its call applied. */
  record Applied(Verdict verdict, CallResult.Applied result) implements End {
    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.APPLIED;
    }
  }

  /**
   * It applied by a call that its claim says was recorded before: its row has been restored to a
   * time before that.
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
   * @param result null if it was not called
   */
  record Failed(Verdict verdict, String error, @Nullable CallResult result) implements End {
    @Override
    public ReceiptOutcome outcome() {
      return ReceiptOutcome.FAILED;
    }
  }

  /** Nobody can know whether it, or the holder of its key, took effect. */
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
