package io.actiongovernance.proposer;

import io.actiongovernance.access.Caller;
import io.actiongovernance.api.ApiError;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.operator.Operators.UsableConnectors;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Judged;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.policy.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the verdicts would be if the operator proposed these actions now, as one plan, under its own
 * guardrails or others (contract, section 4). The very rules and verdicts of a proposal, limits as
 * they now stand included; writes nothing. Thread-safe.
 */
public final class Simulation {
  /** Stands for the proposal in derived idempotency keys, which nobody gets to see. */
  private static final KeySource NO_PROPOSAL = KeySource.schedule("simulation");

  private final Operators operators;
  private final UsableConnectors connectors;
  private final ProposalVerdicts verdicts;

  public Simulation(Operators operators, UsableConnectors connectors, ProposalVerdicts verdicts) {
    this.operators = operators;
    this.connectors = connectors;
    this.verdicts = verdicts;
  }

  /** What became of it. */
  public sealed interface Outcome {
    /**
     * The verdicts, in the order of the actions.
     *
     * @param guardrailsVersion the operator's; null under other guardrails
     */
    record Simulated(@Nullable Long guardrailsVersion, List<Verdict> verdicts) implements Outcome {}

    /** There is no such operator, or the key does not see it. */
    record NotFound() implements Outcome {}

    /** The actions could not be proposed. */
    record Rejected(ApiError error) implements Outcome {}
  }

  /**
   * Simulates.
   *
   * @param guardrails other ones than the operator's, or null
   * @param proposer whose word is what no argument binds
   */
  public Outcome simulate(
      Caller caller,
      OperatorId id,
      List<ProposedAction> actions,
      @Nullable Guardrails guardrails,
      ProposerKind proposer) {
    Operator operator = operators.find(caller, id).orElse(null);
    if (operator == null) {
      return new Outcome.NotFound();
    }
    Vetted vetted =
        ProposalRules.vet(
            operator,
            null,
            new Proposal.Proposed(null, actions),
            connectors.usable(operator.partition(), operator.workspaceId()),
            NO_PROPOSAL,
            proposer);
    return switch (vetted) {
      case Vetted.Rejected(ApiError error) -> new Outcome.Rejected(error);
      case Vetted.Accepted(List<PlannedDraft> drafts) ->
          new Outcome.Simulated(
              guardrails == null ? operator.guardrailsVersion() : null,
              verdicts
                  .judge(
                      operator.partition(),
                      id,
                      guardrails == null ? operator.guardrails() : guardrails,
                      drafts)
                  .stream()
                  .map(Judged::verdict)
                  .toList());
    };
  }
}
