package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.node.DecimalNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.api.ApiError;
import io.actiongovernance.api.ApiException;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.operator.Operators.UsableConnectors;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Judged;
import io.actiongovernance.policy.Unbound;
import io.actiongovernance.policy.Verdict;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the verdicts would be if the operator proposed these actions now, as one plan, under its own
 * guardrails or others (contract, section 4). The very rules and verdicts of a proposal, limits as
 * they now stand included; writes nothing. Thread-safe.
 */
public final class Simulation {
  /** Stands for the proposal in derived idempotency keys, which nobody gets to see. */
  private static final String NO_PROPOSAL = "simulation";

  private final Operators operators;
  private final Actions planned;
  private final UsableConnectors connectors;
  private final ProposalVerdicts verdicts;

  /**
   * @param planned the actions that were proposed before
   */
  public Simulation(
      Operators operators,
      Actions planned,
      UsableConnectors connectors,
      ProposalVerdicts verdicts) {
    this.operators = operators;
    this.planned = planned;
    this.connectors = connectors;
    this.verdicts = verdicts;
  }

  /** What became of it. */
  public sealed interface Outcome {
    /**
     * The verdicts, in the order of the actions.
     *
     * @param guardrailsVersion the operator's; null under other guardrails
     * @param unbound what the guardrails go by that is not bound to arguments
     */
    record Simulated(
        @Nullable Long guardrailsVersion, List<Verdict> verdicts, List<Unbound> unbound)
        implements Outcome {}

    /** There is no such operator, or the key does not see it. */
    record NotFound() implements Outcome {}

    /** The actions could not be proposed. */
    record Rejected(ApiError error) implements Outcome {}
  }

  /** Whose word the actions' fields are, where a tool does not bind them to its arguments. */
  public enum By {
    /** The tenant's own: it counts. */
    SCRIPT,
    /** An outside agent's, a claim. */
    AGENT;

    public static Optional<By> parse(String text) {
      return Arrays.stream(values())
          .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(text))
          .findFirst();
    }
  }

  /** What is to be judged. */
  public sealed interface Subject {
    /** Actions as they could be proposed. */
    record Described(List<ProposedAction> actions) implements Subject {}

    /** Actions of the operator that were proposed before, as they were planned. */
    record Planned(List<ActionId> ids) implements Subject {
      /** The most of them. */
      public static final int MOST = 50;
    }
  }

  /**
   * Simulates.
   *
   * @param by who proposes them
   * @param guardrails other ones than the operator's, or null
   */
  public Outcome simulate(
      Caller caller, OperatorId id, Subject subject, By by, @Nullable Guardrails guardrails) {
    Operator operator = operators.find(caller, id).orElse(null);
    if (operator == null) {
      return new Outcome.NotFound();
    }
    List<ProposedAction> actions =
        switch (subject) {
          case Subject.Described(List<ProposedAction> described) -> described;
          case Subject.Planned(List<ActionId> ids) -> planned(operator, ids);
        };
    List<Connector> usable = connectors.usable(operator.partition(), operator.workspaceId());
    Guardrails judging = guardrails == null ? operator.guardrails() : guardrails;
    Vetted vetted = vet(operator, actions, by, usable);
    return switch (vetted) {
      case Vetted.Rejected(ApiError error) -> new Outcome.Rejected(error);
      case Vetted.Accepted(List<PlannedDraft> drafts) ->
          new Outcome.Simulated(
              guardrails == null ? operator.guardrailsVersion() : null,
              verdicts.judge(operator.partition(), id, judging, drafts).stream()
                  .map(Judged::verdict)
                  .toList(),
              UnboundFields.of(operator, judging, usable));
    };
  }

  /**
   * The actions as this proposer would have them planned. Claims are told apart here, and nowhere
   * else.
   */
  static Vetted vet(
      Operator operator, List<ProposedAction> actions, By by, List<Connector> usable) {
    return ProposalRules.vet(
        operator, null, new Proposal.Proposed(null, actions), usable, NO_PROPOSAL);
  }

  private List<ProposedAction> planned(Operator operator, List<ActionId> ids) {
    Map<ActionId, Action> found =
        planned.findAll(operator.partition(), ids.stream().distinct().toList()).stream()
            .filter(action -> action.terms().operatorId().equals(operator.id()))
            .collect(Collectors.toMap(Action::id, Function.identity()));
    List<ProposedAction> actions = new ArrayList<>();
    for (int at = 0; at < ids.size(); at++) {
      String param = "action_ids[" + at + "]";
      Action action =
          Optional.ofNullable(found.get(ids.get(at)))
              .orElseThrow(
                  () -> ApiException.invalid(param, param + " is no action of the operator."));
      actions.add(again(action.terms()));
    }
    return actions;
  }

  /** An action as it was planned, but for its key, which stood for what it was then. */
  private static ProposedAction again(Action.Terms terms) {
    BigDecimal value = terms.value();
    return new ProposedAction(
        terms.connector().value(),
        terms.tool(),
        terms.args(),
        value == null ? null : DecimalNode.valueOf(value),
        terms.entityKey(),
        null);
  }
}
