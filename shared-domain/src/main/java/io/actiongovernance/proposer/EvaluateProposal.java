package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Guardrails;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Evaluates the actions of a proposed plan. The guardrails decide on each, and an exceeded limit
 * turns ALLOW into ALERT (contract, section 3). An action counts against the limits of the actions
 * after it. Writes nothing. Thread-safe.
 */
public final class EvaluateProposal {
  private final Budgets budgets;

  public EvaluateProposal(Budgets budgets) {
    this.budgets = budgets;
  }

  /** Returns the evaluations of the actions at an instant, in their order. */
  public List<Evaluation> evaluate(
      Partition partition,
      OperatorId operator,
      Guardrails guardrails,
      List<PlannedDraft> actions,
      Instant at) {
    List<Evaluation> evaluations = new ArrayList<>();
    Map<String, List<Candidate>> before = new HashMap<>();
    for (PlannedDraft action : actions) {
      Candidate candidate = action.candidate(at);
      Evaluation evaluation = guardrails.evaluate(candidate);
      Guardrail guardrail = evaluation.guardrail();
      List<Candidate> earlier =
          guardrail == null
              ? List.of()
              : before.computeIfAbsent(guardrail.name(), _ -> new ArrayList<>());
      evaluations.add(budgets.underLimits(partition, operator, evaluation, candidate, earlier));
      if (guardrail != null) {
        earlier.add(candidate);
      }
    }
    return evaluations;
  }
}
