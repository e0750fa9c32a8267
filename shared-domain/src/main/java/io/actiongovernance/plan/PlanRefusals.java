package io.actiongovernance.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refusal.PolicyBlocked.Blocked;
import io.actiongovernance.policy.LimitUse;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Refusals of requests about a plan, by its state at an instant. */
public final class PlanRefusals {
  private PlanRefusals() {}

  /** Returns the refusal of a request that needs an open plan. */
  public static Refusal notOpen(Plan plan, Instant now) {
    boolean executing = plan.state() == Plan.State.EXECUTING;
    return new Refusal.Conflict(
        "The plan is already " + (executing ? "executing" : plan.status(now).wire()) + ".");
  }

  /** Returns the refusal if the policy has refused every action that was to run. */
  public static Refusal policyBlocked(Plan plan, List<Action> refused, Instant now) {
    return new Refusal.PolicyBlocked(
        plan.id(), plan.status(now).wire(), refused.stream().map(PlanRefusals::blocked).toList());
  }

  /** Names the disposition instead of the verdict, which may have been ALERT. */
  private static Blocked blocked(Action action) {
    Action.Disposal disposal = Objects.requireNonNull(action.disposal());
    LimitUse limit = disposal.verdict().limit();
    return new Blocked(
        action.id(),
        disposal.disposition().name(),
        disposal.verdict().tier(),
        disposal.verdict().rule(),
        limit == null ? null : Json.tree(limit),
        action.terms().connector(),
        action.terms().tool(),
        action.terms().entityKey().value(),
        disposal.receiptId());
  }
}
