package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.policy.Assertion;
import java.math.BigDecimal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of an action, which plans and single actions show alike; {@code value} is omitted if
 * none was proposed. It is unwrapped: its components are fields of the view.
 */
public record ActionFields(
    ConnectorId connector,
    @Field(doc = "The tool's dotted name, exact.", example = "sandbox.payment.refund") String tool,
    @Field(
            doc = "Arguments of the tool, which fit its `input_schema`.",
            example = "{\"order\":\"1042\",\"amount\":\"42.00\"}")
        ObjectNode args,
    @Field(
            doc =
                "The monetary or other value that guardrails and limits measure, exact to the"
                    + " last digit. Left out if none was proposed.",
            example = "42.0")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable BigDecimal value,
    @Field(
            doc =
                "The currency of the value: bound to the arguments, or as proposed; null if"
                    + " there is none.")
        @Nullable String currency,
    @Field(
            doc = "The single-flight key: side effects on one entity run one after another.",
            example = "order:1042")
        String entityKey,
    @Field(
            doc =
                "The action's key for duplicate suppression. Each workspace of a tenant and mode"
                    + " has one namespace; what belongs to no workspace has one of its own. Keys"
                    + " are kept for good: what was applied under a key is not run again.",
            example = "auto_69998d7e670e798366fe13eef08c52d4")
        String idempotencyKey,
    @Field(
            doc = "Summary of the action, made by the service from its arguments.",
            max = 200,
            example = "Refund 42.00 of order 1042")
        String summary,
    @Field(
            doc =
                "The fields, of `value`, `currency` and `entity_key`, that are only the"
                    + " proposer's claim: no condition or limit can be evaluated on them.",
            example = "[]")
        Set<Assertion> claimed) {
  public static ActionFields of(Action.Terms terms) {
    return new ActionFields(
        terms.connector(),
        terms.tool(),
        terms.args(),
        terms.value(),
        terms.currency(),
        terms.entityKey().value(),
        terms.idempotencyKey(),
        terms.summary(),
        terms.facts().asserted());
  }
}
