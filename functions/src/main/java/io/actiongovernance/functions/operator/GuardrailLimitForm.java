package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Per;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A guardrail's limit in requests. */
@Doc(value = "A limit in a sliding window.", asSent = true)
record GuardrailLimitForm(
    @Field(
            doc =
                "Dimension by which it counts: the limit applies to each value separately."
                    + " `tenant` is shared by the guardrails of this name of all operators.",
            example = "entity")
        Per per,
    @Field(
            doc =
                "Length of the sliding window in seconds: 1 to 2,592,000 (30 days). It is"
                    + " counted in sixtieths of the window, rounded against the caller.",
            min = 1,
            max = Limit.MAX_WINDOW_SECONDS,
            example = "86400")
        long windowSeconds,
    @Field(
            doc = "Maximum number of actions in the window; null for any number.",
            min = 0,
            max = Limit.MAX_ACTIONS,
            otherwise = "null",
            example = "1")
        @Nullable Long maxActions,
    @Field(
            doc =
                "Maximum sum of the actions' values: a number or a decimal string; null for"
                    + " any. A value that is missing or negative exceeds it. At least one of"
                    + " `max_value` and `max_actions` is required.",
            as = BigDecimal.class,
            otherwise = "null",
            example = "\"1000.00\"")
        @Nullable JsonNode maxValue) {}
