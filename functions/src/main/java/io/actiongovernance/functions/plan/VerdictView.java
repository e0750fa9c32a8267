package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.LimitUseView;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.LimitUse;
import io.actiongovernance.policy.Verdict;
import org.jspecify.annotations.Nullable;

/** A verdict as responses show it. */
@Doc("The policy's verdict on an action.")
public record VerdictView(
    @Field(doc = DECISION) Decision decision,
    @Field(doc = TIER, min = 0, max = 3) int tier,
    @Field(doc = RULE) @Nullable String rule,
    @Field(
            doc = REASON,
            choices = {Verdict.TOOL_CHANGED, Verdict.OUTSIDE_WINDOW})
        @Nullable String reason,
    @Field(doc = LimitUseView.DOC, as = LimitUseView.class) @Nullable LimitUse limit) {
  public static final String DECISION =
      "`ALLOW` runs the action, `ALERT` holds it until a person approves, and `BLOCK`"
          + " refuses it. No approval overrides `BLOCK`.";
  public static final String TIER = "Trust tier of the tool: 0 read-only to 3 irreversible.";
  public static final String RULE = "The guardrail that decided; null if none matched.";
  public static final String REASON =
      "Reason why an open plan's action will be refused, though it was not when it was proposed;"
          + " null if it will not. `tool_changed`: its tool has changed since. `outside_window`:"
          + " the policy does not permit it at this time.";

  public static VerdictView of(Verdict verdict) {
    return new VerdictView(
        verdict.decision(), verdict.tier(), verdict.rule(), verdict.reason(), verdict.limit());
  }
}
