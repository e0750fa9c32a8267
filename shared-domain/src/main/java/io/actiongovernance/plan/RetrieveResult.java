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
 * Reads what an action's call came back with, as long as that is kept, for those who may know it: a
 * key bound to operators of all their actions, any other of those alone that it proposed, and the
 * role admin of all (contract for agents, section 1). Whether the caller has the scope for it is
 * looked at elsewhere. Thread-safe.
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

  /** The result of the action. */
  public Outcome<KeptResult> retrieve(Caller caller, ActionId id) {
    Optional<Action> action =
        actions
            .find(caller.partition(), id)
            .filter(found -> caller.sees(found.terms().workspaceId(), found.terms().operatorId()))
            .filter(found -> mayKnow(caller, found));
    return action.map(this::of).orElseGet(() -> Outcome.refused(new Refusal.NotFound("action")));
  }

  /** The result of an action that was read just now, for a caller who may know it. */
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

  /** Who proposed it; of an undo that waited for nobody, who proposed what it takes back. */
  private Optional<ProposedBy> proposedBy(Action action) {
    Action.Undoing undoing = action.terms().undoing();
    return undoing == null || undoing.held()
        ? plans
            .find(action.partition(), action.terms().planId())
            .map(plan -> plan.terms().proposedBy())
        : Optional.of(undoing.proposedBy());
  }
}
