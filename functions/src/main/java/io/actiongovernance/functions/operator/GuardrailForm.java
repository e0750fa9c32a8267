package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.policy.Guardrail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A guardrail in requests; {@link io.actiongovernance.policy.Guardrails} reads it. */
@Doc(value = "One rule of an operator.", asSent = true)
record GuardrailForm(
    @Field(
            doc = "Name of the guardrail, unique in the set; verdicts show it as `rule`.",
            min = 1,
            max = Guardrail.MAX_NAME,
            example = "refund-small")
        String name,
    @Field(
            doc =
                "Decision on the actions that match it. Any enabled `BLOCK` that matches wins."
                    + " Otherwise the matching guardrail with the lowest `priority`, then name,"
                    + " decides. If none matches, actions with side effects are blocked.",
            example = "ALLOW")
        Decision decision,
    @Field(
            doc = "Order of the guardrails that match: the lowest number decides, then the name.",
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
                "Tools that it matches: an exact name, or a glob in which `*` is exactly one"
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
            doc = "Further conditions besides the tool and the connector; null for none.",
            otherwise = "null",
            example = "{\"max_value\":50,\"currency\":\"usd\"}")
        @Nullable GuardrailConditionsForm conditions,
    @Field(
            doc =
                "Limits in sliding windows; null for none. Exceeding one turns `ALLOW` into"
                    + " `ALERT` at proposal, and refuses the action at execution.",
            max = Guardrail.MAX_LIMITS,
            otherwise = "null",
            example = "[{\"per\":\"entity\",\"window_seconds\":86400,\"max_actions\":1}]")
        @Nullable List<GuardrailLimitForm> limits,
    @Field(
            doc =
                "Approval policy for the actions that it holds; only on an `ALERT`, or on an"
                    + " `ALLOW` with limits. If left out, anyone with the right to approve may do so,"
                    + " also with a key.",
            otherwise = "null",
            example = "{\"method\":\"session\"}")
        @Nullable ApprovalPolicyForm approval) {
  /** A sample set in the form of answers. */
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
