package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.ArgCondition;
import org.jspecify.annotations.Nullable;

/** A condition on a value within JSON as it is sent; {@link ArgCondition} reads it. */
@Doc(
    value =
        "A comparison with a value inside JSON: the arguments of an action, or the payload of an"
            + " event.",
    asSent = true)
record ArgConditionForm(
    @Field(
            doc = "Where the value is: a JSON Pointer (RFC 6901), such as `/currency`.",
            published = "^(/([^~/]|~[01])*)*$",
            max = ArgCondition.MAX_PATH,
            example = "/currency")
        String path,
    @Field(
            doc =
                "`lt lte gt gte` compare exact numbers, decimal strings included; `eq ne in not_in`"
                    + " compare JSON values with their types, so `1` is not `\"1\"`; `prefix`"
                    + " compares strings; `exists` asks whether there is a value.",
            example = "eq")
        ArgCondition.Op op,
    @Field(
            doc =
                "What it is compared with: a number or a decimal string for `lt lte gt gte`, a list"
                    + " for `in` and `not_in`, a string for `prefix`, true or false (left out:"
                    + " true) for `exists`, anything for `eq` and `ne`.",
            example = "usd")
        @Nullable JsonNode value) {}
