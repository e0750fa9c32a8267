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
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.ApprovalPolicy.Method;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Loosening;
import io.actiongovernance.policy.Matching;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.policy.analysis.GuardrailAnalysis;
import io.actiongovernance.policy.analysis.Target;
import io.actiongovernance.proposer.GuardrailWarnings.Warnings;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Proves properties of an operator's guardrails, or of others in their place. The properties hold
 * for all actions that the operator could propose with the tools within its reach (contract,
 * section 4). Writes nothing. Thread-safe.
 */
public final class AnalyzeGuardrails {
  /** Stands for the proposal in derived idempotency keys. These keys are never shown. */
  private static final KeySource NO_PROPOSAL = KeySource.schedule("analysis");

  private final Operators operators;
  private final UsableConnectors connectors;
  private final People people;
  private final InstantSource clock;

  public AnalyzeGuardrails(
      Operators operators, UsableConnectors connectors, People people, InstantSource clock) {
    this.operators = operators;
    this.connectors = connectors;
    this.people = people;
    this.clock = clock;
  }

  /**
   * Analyzes the guardrails.
   *
   * @param proposed guardrails to use instead of the operator's; null for the operator's own
   */
  public Outcome<Analysis> analyze(Caller caller, OperatorId id, @Nullable Guardrails proposed) {
    return operators
        .retrieve(caller, id)
        .map(operator -> analyze(operator, proposed == null ? operator.guardrails() : proposed));
  }

  /**
   * Proved properties, and warnings to the author of the guardrails.
   *
   * @param loosens differences that loosen the operator's present policy
   * @param unsatisfiable the guardrails whose approval policy the current people could not meet
   */
  public record Analysis(
      GuardrailAnalysis.Result proved,
      List<Loosening> loosens,
      Warnings warnings,
      List<Unsatisfiable> unsatisfiable) {
    public Analysis {
      loosens = List.copyOf(loosens);
      unsatisfiable = List.copyOf(unsatisfiable);
    }
  }

  /**
   * Guardrail whose approval policy needs more people than exist.
   *
   * @param groups groups with too few people; empty if there are too few people in total
   */
  public record Unsatisfiable(String guardrail, List<String> groups) {
    public Unsatisfiable {
      groups = List.copyOf(groups);
    }
  }

  private Analysis analyze(Operator operator, Guardrails guardrails) {
    List<Connector> usable = connectors.usable(operator.partition(), operator.workspaceId());
    return new Analysis(
        GuardrailAnalysis.analyse(
            operator.guardrails(), guardrails, targets(operator, usable), clock.instant()),
        Loosening.of(operator.guardrails(), guardrails),
        GuardrailWarnings.of(operator, guardrails, usable),
        unsatisfiable(operator, guardrails));
  }

  private List<Unsatisfiable> unsatisfiable(Operator operator, Guardrails guardrails) {
    List<Guardrail> asking =
        guardrails.list().stream()
            .filter(one -> one.enabled() && one.approval() != null)
            .filter(one -> Objects.requireNonNull(one.approval()).method() != Method.KEY)
            .toList();
    if (asking.isEmpty()) {
      return List.of();
    }
    List<Person> approvers = people.approvers(operator.partition(), operator.workspaceId());
    return asking.stream().flatMap(one -> unsatisfiable(one, approvers).stream()).toList();
  }

  private static Optional<Unsatisfiable> unsatisfiable(
      Guardrail guardrail, List<Person> approvers) {
    ApprovalPolicy policy = Objects.requireNonNull(guardrail.approval());
    Matching<Person> matching =
        Matching.of(policy, approvers, (person, asked) -> asked.admits(person.groupNames()));
    if (matching.complete()) {
      return Optional.empty();
    }
    List<String> missing =
        IntStream.range(0, policy.places().size())
            .filter(at -> matching.filled().get(at).isEmpty())
            .mapToObj(at -> policy.places().get(at).groups())
            .flatMap(List::stream)
            .distinct()
            .toList();
    return Optional.of(new Unsatisfiable(guardrail.name(), missing));
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

  /** Returns whether the action could be proposed, by the rules of a real proposal. */
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
