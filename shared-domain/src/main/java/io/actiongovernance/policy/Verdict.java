package io.actiongovernance.policy;

import org.jspecify.annotations.Nullable;

/**
 * What policy says of one action.
 *
 * @param tier trust tier of the tool, 0 to 3
 * @param rule the guardrail that matched, or null for the default-closed fallthrough
 * @param reason {@value #TOOL_CHANGED} where that is why an open plan's action will be refused;
 *     null in every other verdict
 */
public record Verdict(Decision decision, int tier, @Nullable String rule, @Nullable String reason) {
  /** The connector's tool is not the one that was evaluated any more, or is gone. */
  public static final String TOOL_CHANGED = "tool_changed";

  /** A verdict of the guardrails. */
  public Verdict(Decision decision, int tier, @Nullable String rule) {
    this(decision, tier, rule, null);
  }

  /** The rule named when a tool without side effects matches no guardrail. */
  public static final String READ_ONLY_RULE = "builtin.read_only";

  /** The verdict on an action whose tool has changed since it was evaluated. */
  public Verdict toolChanged() {
    return new Verdict(Decision.BLOCK, tier, null, TOOL_CHANGED);
  }

  /** The verdict that binds: the stricter of the two, this one if they are equally strict. */
  public Verdict stricter(Verdict other) {
    return other.decision.compareTo(decision) > 0 ? other : this;
  }
}
