package io.actiongovernance.kernel;

import io.actiongovernance.access.Principal;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.ExecutionPolicy;
import java.util.Optional;

/** Action with its permission and the current state that its execution depends on. */
record LoadedExecution(
    Execution execution,
    Optional<Operator> operator,
    Optional<Connector> connector,
    Optional<EntityLock> lock) {
  LoadedExecution with(Execution other) {
    return new LoadedExecution(other, operator, connector, lock);
  }

  /**
   * Returns the ending with the additions from the action's tool, if that is still the tool that
   * was called.
   *
   * @param claim the claim under which it was called
   */
  Ending ending(Ending ending, EffectClaim claim) {
    return tool()
        .map(tool -> ending.of(execution.action(), connector.orElseThrow(), tool))
        .orElseGet(() -> ending.ofNoTool(connector, claim.settle()));
  }

  /**
   * Returns whether the call's answer is kept. It is kept if the operator did not propose the
   * action, or if the operator keeps results (contract for agents, section 1).
   */
  boolean keepsAnswer() {
    return execution.mandate().proposedBy().principal().type() != Principal.Type.OPERATOR
        || operator.filter(Operator::keepsResults).isPresent();
  }

  /** Returns the action's tool, if the connector still has it as it was evaluated. */
  Optional<Tool> tool() {
    return ExecutionPolicy.tool(execution.action(), connector);
  }
}
