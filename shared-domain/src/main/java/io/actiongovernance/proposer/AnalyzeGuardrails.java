package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.operator.Operators.UsableConnectors;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.policy.analysis.GuardrailAnalysis;
import io.actiongovernance.policy.analysis.Target;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What can be proved of an operator's guardrails, or of others in their place, over all actions it
 * could propose on the tools it can reach now (contract, section 4). Writes nothing. Thread-safe.
 */
public final class AnalyzeGuardrails {
  /** Stands for the proposal in derived idempotency keys, which nobody gets to see. */
  private static final KeySource NO_PROPOSAL = KeySource.schedule("analysis");

  private final Operators operators;
  private final UsableConnectors connectors;

  public AnalyzeGuardrails(Operators operators, UsableConnectors connectors) {
    this.operators = operators;
    this.connectors = connectors;
  }

  /**
   * Analyses.
   *
   * @param proposed other guardrails than the operator's, or null
   */
  public Outcome<Analysis> analyze(Caller caller, OperatorId id, @Nullable Guardrails proposed) {
    return operators
        .retrieve(caller, id)
        .map(operator -> analyze(operator, proposed == null ? operator.guardrails() : proposed));
  }

  /**
   * What can be proved, and what the guardrails go by that is not bound to arguments.
   *
   * @param unbound see {@link Unbound}
   */
  public record Analysis(GuardrailAnalysis.Result proved, List<Unbound> unbound) {}

  private Analysis analyze(Operator operator, Guardrails guardrails) {
    List<Connector> usable = connectors.usable(operator.partition(), operator.workspaceId());
    return new Analysis(
        GuardrailAnalysis.analyse(operator.guardrails(), guardrails, targets(operator, usable)),
        UnboundFields.of(operator, guardrails, usable));
  }

  private static List<Target> targets(Operator operator, List<Connector> usable) {
    Predicate<Candidate> proposable = action -> canPropose(operator, usable, action);
    return usable.stream()
        .filter(operator::reaches)
        .flatMap(
            connector ->
                connector.tools().stream()
                    .filter(operator::mayUse)
                    .map(
                        tool ->
                            new Target(
                                connector.id(),
                                tool.name(),
                                tool.tier(),
                                connector.isRead(tool),
                                tool.binds(),
                                tool.inputSchema().sample(),
                                proposable)))
        .toList();
  }

  /** By the very rules of a proposal. */
  private static boolean canPropose(Operator operator, List<Connector> usable, Candidate action) {
    BigDecimal value = action.value();
    JsonNode proposedValue = value == null ? null : DecimalNode.valueOf(value);
    ProposedAction proposed =
        new ProposedAction(
            action.connector().value(),
            action.tool(),
            action.args(),
            proposedValue,
            action.facts().currency(),
            action.entityKey().value(),
            null);
    return ProposalRules.check(
            operator,
            null,
            new Proposal.Proposed(null, List.of(proposed)),
            usable,
            NO_PROPOSAL,
            ProposerKind.SCRIPT)
        instanceof Done<?>;
  }
}
