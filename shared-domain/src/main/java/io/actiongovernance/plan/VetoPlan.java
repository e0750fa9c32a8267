package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Vetoes a plan. No action of it ever runs, and a receipt for every action records who vetoed it
 * and why (specification, Plans). Thread-safe.
 */
public final class VetoPlan {
  private static final Refusal NOT_THEIRS =
      new Refusal.BeyondKey("Only the proposer of a plan can withdraw it; others veto it.");

  private final Store store;
  private final PlannedActions planned;
  private final CloseActions closeActions;
  private final InstantSource clock;

  public VetoPlan(
      Store store, PlannedActions planned, CloseActions closeActions, InstantSource clock) {
    this.store = store;
    this.planned = planned;
    this.closeActions = closeActions;
    this.clock = clock;
  }

  /**
   * Vetoes an open plan.
   *
   * @param key equal for the same request sent again, which then finds its own veto
   * @param reason kept verbatim
   * @param vetoedBy name that the request gives; null for the name of its key
   */
  public Outcome<Plan> veto(
      Caller caller, PlanId id, String key, String reason, @Nullable String vetoedBy) {
    return seen(caller, id).then(plan -> end(caller, plan, key, reason, vetoedBy, false));
  }

  /**
   * Withdraws an open plan for its proposer, whatever it waits for. The plan is vetoed, but
   * proposers get no feedback, because nobody else objected to it. The caller needs the scope for
   * proposing such a plan; for a plan that undoes something, the scope for undoing.
   *
   * @param key equal for the same request sent again, which then finds its own veto
   * @param reason kept verbatim
   */
  public Outcome<Plan> withdraw(Caller caller, PlanId id, String key, String reason) {
    return seen(caller, id)
        .then(
            plan ->
                obstacle(caller, plan)
                    .<Outcome<Plan>>map(Outcome::refused)
                    .orElseGet(() -> end(caller, plan, key, reason, null, true)));
  }

  private Optional<Refusal> obstacle(Caller caller, Plan plan) {
    if (!plan.terms().proposedBy().principal().is(caller.principal())) {
      return Optional.of(NOT_THEIRS);
    }
    boolean undoes =
        planned.allOf(plan).stream().anyMatch(action -> action.terms().undoing() != null);
    Scope needed = undoes ? Scope.ACTIONS_WRITE : Scope.PLANS_PROPOSE;
    return caller.scopes().contains(needed)
        ? Optional.empty()
        : Optional.of(new Refusal.BeyondKey("The key lacks the scope " + needed.wire() + "."));
  }

  private Outcome<Plan> seen(Caller caller, PlanId id) {
    return planned
        .plans()
        .find(caller.partition(), id)
        .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()))
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(new Refusal.NotFound("plan")));
  }

  private Outcome<Plan> end(
      Caller caller,
      Plan found,
      String key,
      String reason,
      @Nullable String vetoedBy,
      boolean withdrawn) {
    Plan plan = found;
    Instant now = clock.instant();
    if (plan.open(now)) {
      Plan.Ending ending =
          new Plan.Ending(
              key,
              vetoedBy == null ? caller.name() : vetoedBy,
              Decider.by(caller.principal(), vetoedBy, now),
              reason,
              caller.requestId(),
              closeActions.mint(plan),
              withdrawn);
      // A refusal means that another request was first: the stored state decides.
      store.write(PlanWrites.veto(plan, ending, now));
      plan = planned.plans().find(caller.partition(), plan.id()).orElseThrow();
    }
    closeActions.complete(plan);
    boolean ours = plan.ending() != null && plan.ending().key().equals(key);
    return ours ? Outcome.done(plan) : Outcome.refused(PlanRefusals.notOpen(plan, clock.instant()));
  }
}
