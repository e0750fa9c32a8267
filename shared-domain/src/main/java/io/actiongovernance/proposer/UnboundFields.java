package io.actiongovernance.proposer;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators.UsableConnectors;
import io.actiongovernance.policy.Guardrails;
import java.util.List;

/**
 * What guardrails go by that is not bound, over every tool within an operator's reach (contract,
 * section 3). Thread-safe.
 */
public final class UnboundFields {
  private final UsableConnectors connectors;

  public UnboundFields(UsableConnectors connectors) {
    this.connectors = connectors;
  }

  /** Of the guardrails an operator has. */
  public List<Unbound> of(Operator operator) {
    return of(
        operator,
        operator.guardrails(),
        connectors.usable(operator.partition(), operator.workspaceId()));
  }

  /**
   * Of these guardrails in the place of the operator's.
   *
   * @param usable the connectors that operators of its workspace may use
   */
  static List<Unbound> of(Operator operator, Guardrails guardrails, List<Connector> usable) {
    return Unbound.of(
        guardrails,
        usable.stream()
            .filter(operator::reaches)
            .flatMap(
                connector ->
                    connector.tools().stream()
                        .filter(operator::mayUse)
                        .map(tool -> new Unbound.Target(connector.id(), tool)))
            .toList());
  }
}
