package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.proposer.ProposedAction;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * An action in a request. {@link io.actiongovernance.proposer.ProposalRules} enforces all other
 * rules, so that a refusal can have a receipt.
 */
@Doc("An action to propose.")
public record ProposedActionForm(
    @Field(doc = "Identifier of a connector that the operator may use.", min = 1, max = 200)
        String connector,
    @Field(doc = "The tool's dotted name, exact.", min = 1, max = 200) String tool,
    @Field(
            doc = "Arguments of the tool, which must fit its `input_schema`; none if left out.",
            as = ObjectNode.class)
        @Nullable JsonNode args,
    @Field(
            doc =
                "Value that guardrails and limits measure, as a number or a decimal string;"
                    + " null for none.",
            as = BigDecimal.class)
        @Nullable JsonNode value,
    @Field(
            doc =
                "The currency of the value, 1 to 20 characters. If the tool binds it, it must"
                    + " equal what the arguments say, or be left out.",
            min = 1,
            max = 20,
            text = Field.Text.LINE)
        @Nullable String currency,
    @Field(
            doc =
                "The single-flight key: side effects on one entity run one after another. If"
                    + " left out, it comes from the operator's `entity_template`.",
            text = Field.Text.LINE)
        @Nullable String entityKey,
    @Field(
            doc =
                "The action's key for duplicate suppression. If left out, it is derived from"
                    + " operator, event, position and arguments.",
            text = Field.Text.LINE)
        @Nullable String idempotencyKey) {
  public ProposedAction proposed() {
    return new ProposedAction(connector, tool, args, value, currency, entityKey, idempotencyKey);
  }
}
