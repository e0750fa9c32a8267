package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Vetoes a plan: nothing in it ever runs, and who vetoed it and why is receipted for every action
 * (specification, Plans). Thread-safe.
 */
public final class VetoPlan {
  private final Store store;
  private final Plans plans;
  private final CloseActions closeActions;
  private final InstantSource clock;

  public VetoPlan(Store store, Plans plans, CloseActions closeActions, InstantSource clock) {
    this.store = store;
    this.plans = plans;
    this.closeActions = closeActions;
    this.clock = clock;
  }

  /**
   * Vetoes an open plan.
   *
   * @param key the same for the same request sent again, which then finds its own veto
   * @param reason kept verbatim
   * @param vetoedBy who vetoes, as the request says; null if it does not, which is its key then
   */
  public Outcome<Plan> veto(
      Caller caller, PlanId id, String key, String reason, @Nullable String vetoedBy) {
    Optional<Plan> found =
        plans
            .find(caller.partition(), id)
            .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
    if (found.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("plan"));
    }
    Plan plan = found.get();
    Instant now = clock.instant();
    if (plan.open(now)) {
      Plan.Ending ending =
          new Plan.Ending(
              key,
              vetoedBy == null ? caller.keyName() : vetoedBy,
              Decider.byKey(caller.principal(), vetoedBy, now),
              reason,
              caller.requestId(),
              closeActions.mint(plan));
      // Refused means that somebody else was first; what is stored now tells.
      store.write(Plans.veto(plan, ending, now));
      plan = plans.find(caller.partition(), id).orElseThrow();
    }
    closeActions.complete(plan);
    boolean ours = plan.ending() != null && plan.ending().key().equals(key);
    return ours ? Outcome.done(plan) : Outcome.refused(PlanRefusals.notOpen(plan, clock.instant()));
  }
}
