package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.plan.PlanOutcomes;
import org.jspecify.annotations.Nullable;

/** Published form of a {@link PlanOutcomes}. */
@Doc("Number of actions of an executed plan, by outcome.")
record OutcomesView(
    @Field(doc = "Actions that were called and took effect.", min = 0) int applied,
    @Field(doc = "Actions that the policy refused; they were not called.", min = 0) int refused,
    @Field(
            doc = "Actions that failed: they were called, or about to be, and had no effect.",
            min = 0)
        int failed,
    @Field(doc = "Actions that were called, but nobody knows whether they took effect.", min = 0)
        int unknown,
    @Field(
            doc =
                "Actions that were not called because their idempotency keys had been applied"
                    + " before.",
            min = 0)
        int deduplicated,
    @Field(doc = "Actions that the approval left out.", min = 0) int skipped) {
  static final String DOC =
      "Number of actions by outcome, as the executor disposed them; a later"
          + " resolution does not change it. Null unless `status` is `executed`.";

  static final String EXAMPLE = "null";

  static @Nullable ObjectNode of(@Nullable PlanOutcomes outcomes) {
    return outcomes == null ? null : outcomes.wire();
  }
}
