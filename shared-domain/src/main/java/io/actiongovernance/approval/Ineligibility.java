package io.actiongovernance.approval;

import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Eligibility;

/**
 * Reason that keeps a principal from approving, in the order of the checks. Of several reasons the
 * last is returned, because that is the one to fix.
 */
enum Ineligibility {
  SUSPENDED("suspended", "The person is suspended."),
  METHOD("method", "A person is asked for, and not a key."),
  GROUP("group", "Nobody of the person's groups is asked for."),
  PROPOSER(
      "self_approval", "Nobody approves what they, or a key of theirs, had a part in proposing."),
  EDITOR(
      "policy_editor",
      "What the approval rests on was changed lately: neither who did, nor who came since, approves."),
  SIGNATURE("signature", "A signature by a passkey is asked for."),
  SETTLING("passkey_settling", "The passkey is too new to decide.");

  private final String reason;
  private final String sentence;

  Ineligibility(String reason, String sentence) {
    this.reason = reason;
    this.sentence = sentence;
  }

  String reason() {
    return reason;
  }

  Refusal refusal() {
    return switch (this) {
      case SIGNATURE -> new Refusal.SignatureRequired();
      case PROPOSER -> Eligibility.SELF_APPROVAL;
      default -> new Refusal.NotEligible(reason, sentence);
    };
  }
}
