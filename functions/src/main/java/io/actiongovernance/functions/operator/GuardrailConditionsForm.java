package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.Conditions;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions of a guardrail as they are sent. */
@Doc(
    value =
        "All must hold. What cannot be evaluated does not hold on ALLOW, and holds on ALERT and"
            + " BLOCK.",
    asSent = true)
record GuardrailConditionsForm(
    @Field(doc = "The action's value at least, inclusive.", as = BigDecimal.class)
        @Nullable JsonNode minValue,
    @Field(doc = "The action's value at most, inclusive.", as = BigDecimal.class)
        @Nullable JsonNode maxValue,
    @Field(
            doc = "Compared with `args.currency`, exactly; null for any.",
            min = 1,
            max = Conditions.MAX_CURRENCY)
        @Nullable String currency,
    @Field(
            doc = "The action's entity_key; one that ends in `*` is its beginning; null for any.",
            published = "^[^*]*[*]?$",
            min = 1,
            max = Conditions.MAX_ENTITY_KEY)
        @Nullable String entityKey,
    @Field(
            doc =
                "The tool's trust tier at most, inclusive: 0 read-only to 3 irreversible; null for"
                    + " any.",
            min = 0,
            max = Conditions.MAX_TIER)
        @Nullable Integer maxTier,
    @Field(
            doc = "Comparisons with the action's arguments; null for none.",
            max = Conditions.MAX_ARGS)
        @Nullable List<ArgConditionForm> args) {}
