package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.plan.ArchiveOperator;
import io.actiongovernance.proposer.AnalyzeGuardrails;
import io.actiongovernance.proposer.EvaluateProposal;
import io.actiongovernance.proposer.GuardrailWarnings;
import io.actiongovernance.proposer.Simulation;

/** Creates the use cases of operators. Thread-safe. */
final class OperatorWiring {
  private final Wiring wiring;

  OperatorWiring(Wiring wiring) {
    this.wiring = wiring;
  }

  GuardrailsVersions guardrailsVersions() {
    return new GuardrailsVersions(wiring.store(), wiring.operators());
  }

  GuardrailWarnings guardrailWarnings() {
    return new GuardrailWarnings(wiring.connectorWiring().connectors()::usable);
  }

  Simulation simulation() {
    return new Simulation(
        wiring.operators(),
        wiring.loop().reading().actions(),
        wiring.connectorWiring().connectors()::usable,
        new EvaluateProposal(wiring.loop().executing().budgets()),
        wiring.clock());
  }

  ArchiveOperator archiveOperator() {
    return new ArchiveOperator(wiring.operators(), wiring.loop().reading().expirePlan());
  }

  AnalyzeGuardrails analyzeGuardrails() {
    return new AnalyzeGuardrails(
        wiring.operators(),
        wiring.connectorWiring().connectors()::usable,
        wiring.people(),
        wiring.clock());
  }
}
