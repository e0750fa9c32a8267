package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Verdict;
import org.jspecify.annotations.Nullable;

/** A verdict, as answers show it. */
@Doc("What the policy says of an action.")
public record VerdictView(
    @Field(
            doc =
                "`ALLOW` runs it, `ALERT` holds it until a person approves, `BLOCK` refuses it,"
                    + " which no approval overrides.")
        Decision decision,
    @Field(doc = "Trust tier of the tool: 0 read-only to 3 irreversible.", min = 0, max = 3)
        int tier,
    @Field(doc = "The guardrail that decided; null when none matched.") @Nullable String rule,
    @Field(
            doc =
                "`tool_changed` where an open plan's action will be refused because its tool has"
                    + " changed since it was judged; else null.",
            choices = Verdict.TOOL_CHANGED)
        @Nullable String reason) {}
