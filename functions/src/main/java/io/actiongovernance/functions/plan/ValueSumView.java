package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A {@link io.actiongovernance.plan.ValueSum} as responses show it. */
@Doc("The sum of the values that several actions have in one currency.")
record ValueSumView(
    @Field(doc = "The currency, as the actions have it; null for values without one.")
        @Nullable String currency,
    @Field(doc = "The sum, exact to the last digit.", example = "42.0") BigDecimal sum,
    @Field(
            doc = "True if any of the values, or its currency, is only the proposer's claim.",
            example = "false")
        boolean claimed) {
  static final String DOC =
      "The sums of the values of the actions that may run (verdict `ALLOW` or `ALERT`), one for each currency in the order of first appearance. Negative values have an entry of their own in the same currency, so that they hide no payment. Actions without a value add nothing.";

  static final String MORE_DOC =
      "Number of actions that may run besides the first one, which `summary`" + " describes.";

  static final String EXAMPLE = "[{\"currency\":null,\"sum\":42.0,\"claimed\":false}]";
}
