package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.ExecutionPolicy;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.policy.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Reads a plan with every verdict. Of an open plan, the verdict is the one that would bind now: the
 * stricter of the proposal's and the present guardrails' (contract, section 3). Thread-safe.
 */
public final class RetrievePlan {
  private final Plans plans;
  private final Actions actions;
  private final Operators operators;
  private final ExpirePlan expirePlan;

  public RetrievePlan(Plans plans, Actions actions, Operators operators, ExpirePlan expirePlan) {
    this.plans = plans;
    this.actions = actions;
    this.operators = operators;
    this.expirePlan = expirePlan;
  }

  /** A plan and its actions in order, each with the verdict to show. */
  public record Read(Plan plan, List<Judged> actions) {}

  /** An action and the verdict to show for it. */
  public record Judged(Action action, Verdict verdict) {}

  /** The plan, if the caller may see it; one that is overdue is expired, recorded or not. */
  public Optional<Read> retrieve(Caller caller, PlanId id) {
    return plans
        .find(caller.partition(), id)
        .filter(plan -> caller.sees(plan.terms().workspaceId()))
        .map(expirePlan::seen)
        .map(this::read);
  }

  /** The plan at hand, with its actions. */
  public Read read(Plan plan) {
    Optional<Operator> operator =
        plan.disposedAt() == null
            ? operators.find(plan.partition(), plan.terms().operatorId())
            : Optional.empty();
    List<Judged> judged =
        actions.findAll(plan.partition(), plan.terms().actionIds()).stream()
            .map(action -> new Judged(action, shown(plan, action, operator)))
            .toList();
    return new Read(plan, judged);
  }

  /** The verdict to show for an action of the plan. */
  public Verdict shown(Plan plan, Action action) {
    return shown(plan, action, operators.find(plan.partition(), plan.terms().operatorId()));
  }

  private static Verdict shown(Plan plan, Action action, Optional<Operator> operator) {
    Action.Disposal disposal = action.disposal();
    if (disposal != null) {
      return disposal.verdict();
    }
    return plan.disposedAt() == null
        ? ExecutionPolicy.binding(action, operator)
        : action.terms().verdict();
  }
}
