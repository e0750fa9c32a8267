package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What policy says of one action.
 *
 * @param tier trust tier of the tool, 0 to 3
 * @param rule the guardrail that matched, or null for the default-closed fallthrough
 * @param reason {@value #TOOL_CHANGED} where that is why an open plan's action will be refused;
 *     null in every other verdict
 * @param limit the limit that held the action at proposal or refused it at execution; null in every
 *     other verdict, and left out of what is stored and hashed
 */
public record Verdict(
    Decision decision,
    int tier,
    @Nullable String rule,
    @Nullable String reason,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LimitUse limit) {
  /** The connector's tool is not the one that was evaluated any more, or is gone. */
  public static final String TOOL_CHANGED = "tool_changed";

  /** A verdict of the guardrails. */
  public Verdict(Decision decision, int tier, @Nullable String rule) {
    this(decision, tier, rule, null, null);
  }

  /** The rule named when a tool without side effects matches no guardrail. */
  public static final String READ_ONLY_RULE = "builtin.read_only";

  /** The verdict on an action whose tool has changed since it was evaluated. */
  public Verdict toolChanged() {
    return new Verdict(Decision.BLOCK, tier, null, TOOL_CHANGED, null);
  }

  /** Whether the action runs, or may run after an approval. */
  public boolean mayRun() {
    return decision != Decision.BLOCK;
  }

  /** This verdict, for an action that a limit holds or refuses. */
  public Verdict limited(LimitUse by) {
    return new Verdict(decision, tier, rule, reason, by);
  }

  /** The verdict that binds: the stricter of the two, this one if they are equally strict. */
  public Verdict stricter(Verdict other) {
    return other.decision.compareTo(decision) > 0 ? other : this;
  }
}
