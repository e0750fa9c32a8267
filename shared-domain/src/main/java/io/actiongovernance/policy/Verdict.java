package io.actiongovernance.policy;

import org.jspecify.annotations.Nullable;

/**
 * The policy's word on one action.
 *
 * @param tier trust tier of the tool, 0 to 3
 * @param rule the guardrail that matched, or null for the default-closed fallthrough
 */
public record Verdict(Decision decision, int tier, @Nullable String rule) {
  /** The rule named when a tool without side effects matches no guardrail. */
  public static final String READ_ONLY_RULE = "builtin.read_only";

  /** The verdict that binds: the stricter of the two, this one if they are equally strict. */
  public Verdict stricter(Verdict other) {
    return other.decision.compareTo(decision) > 0 ? other : this;
  }
}
