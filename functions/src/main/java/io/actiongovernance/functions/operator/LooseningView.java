package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.Loosening;
import org.jspecify.annotations.Nullable;

/** A difference that loosens a policy, as answers show it; {@link Loosening} has the rule. */
@Doc("A difference that loosens a policy. It names a guardrail or a test.")
record LooseningView(
    @Field(doc = "Name of the guardrail; left out for a test.", example = "refund-small")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String guardrail,
    @Field(doc = "Name of the test; left out for a guardrail.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String test,
    @Field(doc = "Kind of difference. A disabled guardrail counts as removed.", example = "changed")
        Loosening.Change change) {
  static LooseningView of(Loosening loosening) {
    return switch (loosening.subject()) {
      case GUARDRAIL -> new LooseningView(loosening.name(), null, loosening.change());
      case TEST -> new LooseningView(null, loosening.name(), loosening.change());
    };
  }
}
