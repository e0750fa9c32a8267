package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.result.KeptResult;
import io.actiongovernance.result.Results;
import java.util.Optional;

/**
 * Reads the kept answer of an action's call, for callers that may know it. A key bound to operators
 * may know the answers of all actions of its operators, and the role admin all answers. Any other
 * key may know only the answers of actions that it proposed (contract for agents, section 1). The
 * caller's scope is checked elsewhere. Thread-safe.
 */
public final class RetrieveResult {
  private final Actions actions;
  private final Plans plans;
  private final Results results;

  public RetrieveResult(Actions actions, Plans plans, Results results) {
    this.actions = actions;
    this.plans = plans;
    this.results = results;
  }

  public Outcome<KeptResult> retrieve(Caller caller, ActionId id) {
    Optional<Action> action =
        actions
            .find(caller.partition(), id)
            .filter(found -> caller.sees(found.terms().workspaceId(), found.terms().operatorId()))
            .filter(found -> mayKnow(caller, found));
    return action.map(this::of).orElseGet(() -> Outcome.refused(new Refusal.NotFound("action")));
  }

  /** Returns the result of an action that was just read, for a caller that may know the result. */
  public Outcome<KeptResult> of(Action action) {
    Action.Disposal disposal = action.disposal();
    if (disposal == null) {
      return none();
    }
    if (disposal.disposition() == Disposition.DEDUP && disposal.holder() != null) {
      return Outcome.refused(new Refusal.ResultOfAnother(disposal.holder().action()));
    }
    String sha256 = disposal.resultSha256();
    return sha256 == null
        ? none()
        : results
            .find(action.partition(), action.id(), sha256)
            .map(Outcome::done)
            .orElseGet(RetrieveResult::none);
  }

  private static Outcome<KeptResult> none() {
    return Outcome.refused(new Refusal.NotFound("result"));
  }

  private boolean mayKnow(Caller caller, Action action) {
    return caller.knowsAllResults()
        || proposedBy(action)
            .filter(proposer -> proposer.principal().is(caller.principal()))
            .isPresent();
  }

  /** Returns who proposed it; for an undo that needed no approval, who proposed the original. */
  private Optional<ProposedBy> proposedBy(Action action) {
    Action.Undoing undoing = action.terms().undoing();
    return undoing == null || undoing.held()
        ? plans
            .find(action.partition(), action.terms().planId())
            .map(plan -> plan.terms().proposedBy())
        : Optional.of(undoing.proposedBy());
  }
}
