package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.Conditions;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A guardrail's conditions in requests. */
@Doc(
    value =
        "Conditions that must all hold. A condition that cannot be evaluated does not"
            + " hold on ALLOW, and holds on ALERT and BLOCK.",
    asSent = true)
record GuardrailConditionsForm(
    @Field(
            doc =
                "Minimum value of the action, inclusive: a number or a decimal string. Null for"
                    + " any; on an `ALLOW` with `max_value`, null is 0.",
            as = BigDecimal.class,
            otherwise = "null",
            example = "0")
        @Nullable JsonNode minValue,
    @Field(
            doc =
                "Maximum value of the action, inclusive: a number or a decimal string; null for"
                    + " any.",
            as = BigDecimal.class,
            otherwise = "null",
            example = "\"50.00\"")
        @Nullable JsonNode maxValue,
    @Field(
            doc =
                "Exact currency of the action; null for any. If neither the tool nor the"
                    + " proposal gives one, `args.currency` of a script's action counts.",
            min = 1,
            max = Conditions.MAX_CURRENCY,
            otherwise = "null",
            example = "usd")
        @Nullable String currency,
    @Field(
            doc = "The action's `entity_key`: exact, or a prefix if it ends in `*`; null for any.",
            published = "^[^*]*[*]?$",
            min = 1,
            max = Conditions.MAX_ENTITY_KEY,
            otherwise = "null",
            example = "order:*")
        @Nullable String entityKey,
    @Field(
            doc =
                "Maximum trust tier of the tool, inclusive: 0 read-only to 3 irreversible; null"
                    + " for any.",
            min = 0,
            max = Conditions.MAX_TIER,
            otherwise = "null",
            example = "2")
        @Nullable Integer maxTier,
    @Field(
            doc = "Comparisons with the action's arguments; null for none.",
            max = Conditions.MAX_ARGS,
            otherwise = "null",
            example = "[{\"path\":\"/currency\",\"op\":\"eq\",\"value\":\"usd\"}]")
        @Nullable List<ArgConditionForm> args,
    @Field(
            doc = "Times at which the guardrail matches; null or left out for any time.",
            otherwise = "null",
            example =
                "{\"zone\":\"UTC\",\"weekly\":[{\"days\":[\"mon\"],\"from\":\"09:00\",\"to\":\"17:00\"}]}")
        @Nullable WithinForm within) {}
