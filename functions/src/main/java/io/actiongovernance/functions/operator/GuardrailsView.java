package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.operator.Operator;

/** An operator's guardrails in answers (contract, section 4). */
@Doc("The guardrails of an operator, versioned as a whole.")
record GuardrailsView(
    @Field(doc = "Always `guardrails`.", constant = "guardrails") String object,
    OperatorId operatorId,
    @Field(
            doc = "Version of the whole set: starts at 1, and increases by 1 with every change.",
            example = "1")
        long guardrailsVersion,
    @Field(doc = OperatorTexts.GUARDRAILS, as = GuardrailForm.class, example = GuardrailForm.SET)
        ArrayNode guardrails) {
  static GuardrailsView of(Operator operator) {
    return new GuardrailsView(
        "guardrails", operator.id(), operator.guardrailsVersion(), operator.guardrails().json());
  }

  static GuardrailsView of(GuardrailsVersions.Whole whole) {
    return new GuardrailsView(
        "guardrails", whole.version().operatorId(), whole.version().version(), whole.guardrails());
  }
}
