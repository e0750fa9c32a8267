package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.ArgCondition;
import org.jspecify.annotations.Nullable;

/** A condition on a value within JSON, in requests; {@link ArgCondition} reads it. */
@Doc(
    value =
        "A comparison with a value inside JSON: the arguments of an action, or the payload of an"
            + " event.",
    asSent = true)
record ArgConditionForm(
    @Field(
            doc = "Location of the value: a JSON Pointer (RFC 6901), such as `/currency`.",
            published = "^(/([^~/]|~[01])*)*$",
            max = ArgCondition.MAX_PATH,
            example = "/currency")
        String path,
    @Field(
            doc =
                "`lt lte gt gte` compare exact numbers, decimal strings included. `eq ne in"
                    + " not_in` compare JSON values with their types, so `1` is not `\"1\"`. `prefix`"
                    + " compares strings. `exists` tests whether there is a value.",
            example = "eq")
        ArgCondition.Op op,
    @Field(
            doc =
                "Value to compare with. `lt lte gt gte` take a number or a decimal string, `in`"
                    + " and `not_in` a list, and `prefix` a string. `exists` takes true or false"
                    + " (true if left out); `eq` and `ne` take anything.",
            example = "usd")
        @Nullable JsonNode value) {}
