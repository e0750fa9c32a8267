package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.policy.Guardrail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A guardrail as it is sent; {@link io.actiongovernance.policy.Guardrails} reads it. */
@Doc(value = "One rule of an operator.", asSent = true)
record GuardrailForm(
    @Field(
            doc = "What verdicts call it by (`rule`): unique in the set.",
            min = 1,
            max = Guardrail.MAX_NAME,
            example = "refund-small")
        String name,
    @Field(
            doc =
                "What it says of the actions that match it. Any enabled `BLOCK` that matches wins;"
                    + " otherwise the matching guardrail with the lowest `priority`, then name,"
                    + " decides. No match blocks whatever has side effects.",
            example = "ALLOW")
        Decision decision,
    @Field(
            doc = "Of the guardrails that match, the lowest decides; then the name.",
            min = -Guardrail.MAX_PRIORITY,
            max = Guardrail.MAX_PRIORITY,
            otherwise = "" + Guardrail.DEFAULT_PRIORITY,
            example = "10")
        int priority,
    @Field(
            doc = "False keeps it in the set without any effect.",
            otherwise = "true",
            example = "true")
        boolean enabled,
    @Field(
            doc =
                "The tools it matches: an exact name, or a glob in which `*` is exactly one"
                    + " dot-delimited segment.",
            published = Glob.PUBLISHED,
            max = Glob.MAX_LENGTH,
            example = "payments.refund.*")
        String tool,
    @Field(
            doc = "The id of the only connector that it matches; null for any.",
            otherwise = "null",
            example = "cn_01m7yt2y5r3hwtgj4hkx4w0t6m")
        @Nullable ConnectorId connector,
    @Field(
            doc = "What must hold besides the tool and the connector; null for nothing more.",
            otherwise = "null",
            example = "{\"max_value\":50,\"currency\":\"usd\"}")
        @Nullable GuardrailConditionsForm conditions,
    @Field(
            doc =
                "What it lets through in sliding windows. Exceeding one makes `ALLOW` an `ALERT` at"
                    + " proposal and refuses at execution; null for no limit.",
            max = Guardrail.MAX_LIMITS,
            otherwise = "null",
            example = "[{\"per\":\"entity\",\"window_seconds\":86400,\"max_actions\":1}]")
        @Nullable List<GuardrailLimitForm> limits,
    @Field(
            doc =
                "Who must approve what it holds; only of an `ALERT`, and of an `ALLOW` with limits. Left out: whoever may approve, by a key too.",
            otherwise = "null",
            example = "{\"method\":\"session\"}")
        @Nullable ApprovalPolicyForm approval) {
  /** A set of them, as answers give it. */
  static final String SET =
      """
      [{"name":"small","decision":"ALLOW","priority":100,"enabled":true,\
      "tool":"sandbox.payment.*","connector":null,\
      "conditions":{"min_value":null,"max_value":10,"currency":null,"entity_key":null,\
      "max_tier":null,"args":[]},\
      "limits":[{"per":"operator","window_seconds":60,"max_actions":null,"max_value":"1000.00"}]},\
      {"name":"large","decision":"ALERT","priority":100,"enabled":true,\
      "tool":"sandbox.payment.*","connector":null,\
      "conditions":{"min_value":11,"max_value":null,"currency":null,"entity_key":null,\
      "max_tier":null,"args":[]},"limits":[]}]""";
}
