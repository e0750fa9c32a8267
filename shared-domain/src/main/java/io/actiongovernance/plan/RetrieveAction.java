package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.Verdict;
import java.util.Optional;

/**
 * Reads an action from its proposal on, with the verdict that {@link RetrievePlan} shows for it.
 * Thread-safe.
 */
public final class RetrieveAction {
  private final Actions actions;
  private final Plans plans;
  private final RetrievePlan retrievePlan;

  public RetrieveAction(Actions actions, Plans plans, RetrievePlan retrievePlan) {
    this.actions = actions;
    this.plans = plans;
    this.retrievePlan = retrievePlan;
  }

  public record Read(Action action, Verdict verdict) {}

  /** Returns the action, if the caller may see it. */
  public Outcome<Read> retrieve(Caller caller, ActionId id) {
    return actions
        .find(caller.partition(), id)
        .filter(action -> caller.sees(action.terms().workspaceId(), action.terms().operatorId()))
        .flatMap(this::read)
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(new Refusal.NotFound("action")));
  }

  private Optional<Read> read(Action action) {
    if (action.settled()) {
      return Optional.of(new Read(action, action.verdict()));
    }
    // An action without its plan is only half stored, and counts as not existing.
    return plans
        .find(action.partition(), action.terms().planId())
        .map(plan -> new Read(action, retrievePlan.shown(plan, action)));
  }
}
