package io.actiongovernance.proposer;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators.UsableConnectors;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Guardrails;
import java.util.List;

/**
 * Warnings to the author of guardrails, based on the tools within an operator's reach (contract,
 * section 3). They refuse nothing. Thread-safe.
 */
public final class GuardrailWarnings {
  private final UsableConnectors connectors;

  public GuardrailWarnings(UsableConnectors connectors) {
    this.connectors = connectors;
  }

  /**
   * Warnings about one set of guardrails.
   *
   * @param unbound fields that the guardrails depend on and tools do not bind
   * @param matchesNoTool the names of enabled guardrails that match no tool, in their order
   */
  public record Warnings(List<Unbound> unbound, List<String> matchesNoTool) {
    public Warnings {
      unbound = List.copyOf(unbound);
      matchesNoTool = List.copyOf(matchesNoTool);
    }
  }

  public Warnings of(Operator operator) {
    return of(
        operator,
        operator.guardrails(),
        connectors.usable(operator.partition(), operator.workspaceId()));
  }

  /**
   * Returns the warnings about guardrails that would replace the operator's own.
   *
   * @param usable the connectors that operators of its workspace may use
   */
  static Warnings of(Operator operator, Guardrails guardrails, List<Connector> usable) {
    List<Unbound.Target> targets =
        usable.stream()
            .filter(operator::reaches)
            .flatMap(
                connector ->
                    connector.tools().stream()
                        .filter(operator::mayUse)
                        .map(tool -> new Unbound.Target(connector.id(), tool)))
            .toList();
    return new Warnings(
        Unbound.of(guardrails, targets),
        guardrails.list().stream()
            .filter(guardrail -> guardrail.enabled() && matchesNone(guardrail, targets))
            .map(Guardrail::name)
            .toList());
  }

  private static boolean matchesNone(Guardrail guardrail, List<Unbound.Target> targets) {
    Glob tool = Glob.parse(guardrail.tool());
    String connector = guardrail.connector();
    return targets.stream()
        .filter(target -> connector == null || connector.equals(target.connector().value()))
        .noneMatch(target -> tool.matches(target.tool().name()));
  }
}
