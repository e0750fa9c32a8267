package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.proposer.GuardrailWarnings.Warnings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Creates the views of operators. Thread-safe. */
public final class OperatorViews {
  private final Function<Operator, Optional<Instant>> lastPlanAt;

  /**
   * @param lastPlanAt finds the time of an operator's newest plan
   */
  public OperatorViews(Function<Operator, Optional<Instant>> lastPlanAt) {
    this.lastPlanAt = lastPlanAt;
  }

  OperatorView view(Operator operator) {
    return view(operator, List.of());
  }

  /**
   * An operator after a request changed it.
   *
   * @param warnings about the guardrails of the request; null if it has none
   */
  OperatorView changed(Operator operator, @Nullable Warnings warnings) {
    return view(operator, warnings == null ? List.of() : warnings.matchesNoTool());
  }

  private OperatorView view(Operator operator, List<String> matchesNoTool) {
    return OperatorView.of(operator, lastPlanAt.apply(operator).orElse(null), matchesNoTool);
  }

  public ObjectNode form(Operator operator) {
    return (ObjectNode) Json.tree(view(operator));
  }

  public static ObjectNode guardrailsForm(Operator operator) {
    return (ObjectNode) Json.tree(GuardrailsView.of(operator));
  }
}
