package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Makes what is answered of operators. Thread-safe. */
public final class OperatorViews {
  private final Function<Operator, Optional<Instant>> lastPlanAt;

  /**
   * @param lastPlanAt when an operator's newest plan was proposed
   */
  public OperatorViews(Function<Operator, Optional<Instant>> lastPlanAt) {
    this.lastPlanAt = lastPlanAt;
  }

  OperatorView view(Operator operator) {
    return OperatorView.of(operator, lastPlanAt.apply(operator).orElse(null));
  }

  /** An operator as it is retrieved. */
  public ObjectNode form(Operator operator) {
    return (ObjectNode) Json.tree(view(operator));
  }

  /** Its guardrails as they are retrieved. */
  public static ObjectNode guardrailsForm(Operator operator) {
    return (ObjectNode) Json.tree(GuardrailsView.of(operator));
  }
}
