package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Result of policy for one action.
 *
 * @param tier trust tier of the tool, 0 to 3
 * @param rule the guardrail that matched, or null if none did and the action is refused by default
 * @param reason {@value #TOOL_CHANGED} or {@value #OUTSIDE_WINDOW} if that is why an open plan's
 *     action will be refused; null in every other verdict
 * @param limit the limit that held the action at proposal or refused it at execution; null in every
 *     other verdict, and omitted from what is stored and hashed
 */
public record Verdict(
    Decision decision,
    int tier,
    @Nullable String rule,
    @Nullable String reason,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LimitUse limit) {
  /** The connector's tool is gone, or no longer the one that was evaluated. */
  public static final String TOOL_CHANGED = "tool_changed";

  /** The guardrails refuse the action at this time, but not at the time it was proposed. */
  public static final String OUTSIDE_WINDOW = "outside_window";

  public Verdict(Decision decision, int tier, @Nullable String rule) {
    this(decision, tier, rule, null, null);
  }

  /** The rule that a verdict names if a tool without side effects matches no guardrail. */
  public static final String READ_ONLY_RULE = "builtin.read_only";

  /** Returns the verdict on an action whose tool has changed since its evaluation. */
  public Verdict toolChanged() {
    return new Verdict(Decision.BLOCK, tier, null, TOOL_CHANGED, null);
  }

  /** Returns this verdict for an action that was proposed at a permitted time. */
  public Verdict outsideWindow() {
    return new Verdict(decision, tier, rule, OUTSIDE_WINDOW, limit);
  }

  /** Returns whether the action runs, or may run after an approval. */
  public boolean mayRun() {
    return decision != Decision.BLOCK;
  }

  /** Returns this verdict for an action that a limit holds or refuses. */
  public Verdict limited(LimitUse by) {
    return new Verdict(decision, tier, rule, reason, by);
  }

  /** Returns the stricter of the two verdicts; this one if they are equally strict. */
  public Verdict stricter(Verdict other) {
    return other.decision.compareTo(decision) > 0 ? other : this;
  }
}
