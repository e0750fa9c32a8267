package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.proposer.Unbound;

/**
 * A field that a guardrail goes by and a tool does not bind to its arguments, as answers show it;
 * {@link Unbound} has it.
 */
@Doc("A guardrail that goes by a field that a tool does not bind to its arguments.")
record UnboundView(
    @Field(doc = "The guardrail's name.", example = "refund-small") String guardrail,
    @Field(doc = "The tool's dotted name.", example = "payments.refund") String tool,
    @Field(
            doc =
                "Field that is not bound. `args`: members that the schema does not name, or"
                    + " names that differ by case alone, can reach the source system beside what is"
                    + " bound.")
        Unbound.Field field) {
  static final String SAMPLE =
      "[{\"guardrail\":\"small\",\"tool\":\"sandbox.payment.refund\",\"field\":\"value\"}]";
}
