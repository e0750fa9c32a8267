package io.actiongovernance.approval;

import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Eligibility;

/**
 * Reason that a principal may not approve, in the order of the checks. If there are several, the
 * last is returned, because it is the one to fix.
 */
enum Ineligibility {
  SUSPENDED("suspended", "You are suspended. Ask an administrator."),
  METHOD("method", "A person must approve this; a key cannot."),
  GROUP("group", "Your roles and groups do not let you approve this."),
  PROPOSER(
      "self_approval",
      "You, or a key that you own or made, had a part in proposing this. Ask another approver."),
  EDITOR(
      "policy_editor",
      "Something this approval relies on changed within its not_policy_editor_seconds. You made that change, or you or your group membership is newer. Ask another approver."),
  SIGNATURE("signature", "This approval must be signed with a passkey."),
  SETTLING(
      "passkey_settling",
      "This passkey is too new to approve with. Use an older one, or wait until its settles_at.");

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
