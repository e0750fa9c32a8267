package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of a plan as it is proposed: what the guardrails say of each action, where an
 * exceeded limit turns ALLOW into ALERT (contract, section 3). An action counts against the limits
 * of those after it. Writes nothing. Thread-safe.
 */
public final class ProposalVerdicts {
  private final Budgets budgets;

  public ProposalVerdicts(Budgets budgets) {
    this.budgets = budgets;
  }

  /**
   * One action's verdict and where it comes from.
   *
   * @param decidedBy the guardrail that decided, or null if none matched
   * @param limitedBy the limit that turned ALLOW into ALERT, or null
   */
  public record Judged(Verdict verdict, @Nullable Guardrail decidedBy, @Nullable Limit limitedBy) {}

  /** The verdicts of the actions, in their order. */
  public List<Judged> judge(
      Partition partition, OperatorId operator, Guardrails guardrails, List<PlannedDraft> actions) {
    List<Judged> verdicts = new ArrayList<>();
    Map<String, List<Candidate>> before = new HashMap<>();
    for (PlannedDraft action : actions) {
      Candidate candidate = action.candidate();
      Evaluation evaluation = guardrails.evaluate(candidate);
      Guardrail guardrail = evaluation.decidedBy();
      if (guardrail == null) {
        verdicts.add(new Judged(evaluation.verdict(), null, null));
        continue;
      }
      List<Candidate> earlier = before.computeIfAbsent(guardrail.name(), _ -> new ArrayList<>());
      Limit limit = null;
      if (evaluation.verdict().decision() == Decision.ALLOW) {
        limit = budgets.exceeded(partition, operator, guardrail, candidate, earlier).orElse(null);
      }
      earlier.add(candidate);
      verdicts.add(new Judged(limited(evaluation.verdict(), limit), guardrail, limit));
    }
    return verdicts;
  }

  private static Verdict limited(Verdict verdict, @Nullable Limit limit) {
    return limit == null ? verdict : new Verdict(Decision.ALERT, verdict.tier(), verdict.rule());
  }
}
