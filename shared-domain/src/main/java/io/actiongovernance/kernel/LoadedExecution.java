package io.actiongovernance.kernel;

import io.actiongovernance.access.Principal;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.ExecutionPolicy;
import java.util.Optional;

/** An action, its permission, and what its execution depends on, as they are now. */
record LoadedExecution(
    Execution execution,
    Optional<Operator> operator,
    Optional<Connector> connector,
    Optional<EntityLock> lock) {
  LoadedExecution with(Execution other) {
    return new LoadedExecution(other, operator, connector, lock);
  }

  /**
   * An ending with what its tool adds, as far as that is still the one that was called.
   *
   * @param claim under which it was
   */
  Ending ending(Ending ending, EffectClaim claim) {
    return tool()
        .map(tool -> ending.of(execution.action(), connector.orElseThrow(), tool))
        .orElseGet(() -> ending.ofNoTool(connector, claim.settle()));
  }

  /**
   * Whether what it comes back with is kept: where somebody proposed it who may read it, and where
   * the operator says so (contract for agents, section 1).
   */
  boolean keepsAnswer() {
    return execution.mandate().proposedBy().principal().type() != Principal.Type.OPERATOR
        || operator.filter(Operator::keepsResults).isPresent();
  }

  /** Its tool, if the connector has it still as it was evaluated. */
  Optional<Tool> tool() {
    return ExecutionPolicy.tool(execution.action(), connector);
  }
}
