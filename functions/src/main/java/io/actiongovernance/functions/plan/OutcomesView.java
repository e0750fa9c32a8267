package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.plan.PlanOutcomes;
import org.jspecify.annotations.Nullable;

/** What is published of a {@link PlanOutcomes}. */
@Doc("How many actions of an executed plan ended in which way.")
record OutcomesView(
    @Field(doc = "Called, and took effect.", min = 0) int applied,
    @Field(doc = "Refused by the policy, and not called.", min = 0) int refused,
    @Field(doc = "Called, or to be called, and without effect.", min = 0) int failed,
    @Field(doc = "Called, and nobody knows whether they took effect.", min = 0) int unknown,
    @Field(doc = "Not called: their idempotency keys had been applied before.", min = 0)
        int deduplicated,
    @Field(doc = "Left out by the approval.", min = 0) int skipped) {
  static final String DOC =
      "How many actions ended in which way, as the executor disposed them; a later resolution does not alter it. Null unless `status` is `executed`.";

  static final String EXAMPLE = "null";

  static @Nullable ObjectNode of(@Nullable PlanOutcomes outcomes) {
    return outcomes == null ? null : outcomes.wire();
  }
}
