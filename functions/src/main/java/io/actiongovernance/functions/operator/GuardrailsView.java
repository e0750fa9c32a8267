package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.operator.Operator;

/** An operator's guardrails as they are answered (contract, section 4). */
record GuardrailsView(
    String object, OperatorId operatorId, long guardrailsVersion, JsonNode guardrails) {
  static GuardrailsView of(Operator operator) {
    return new GuardrailsView(
        "guardrails", operator.id(), operator.guardrailsVersion(), operator.guardrails().json());
  }

  static GuardrailsView of(GuardrailsVersions.Whole whole) {
    return new GuardrailsView(
        "guardrails", whole.version().operatorId(), whole.version().version(), whole.guardrails());
  }
}
