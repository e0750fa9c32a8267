package io.actiongovernance.gateway;

import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.WaitingOn;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Progress of the call that a plan of one action makes (contract for agents, section 4). */
public sealed interface CallStanding {
  /** The call took effect. */
  record Applied() implements CallStanding {}

  /** The call certainly took no effect. */
  record Failed(String error) implements CallStanding {}

  /** Nobody knows whether the call took effect. */
  record Unknown(String error) implements CallStanding {}

  /** The call was not made, since its idempotency key belongs to an earlier action. */
  record Deduplicated(@Nullable ActionId holder) implements CallStanding {}

  /** The policy refused the call. */
  record Refused() implements CallStanding {}

  /** A person vetoed the call, or its proposer withdrew it. */
  record Vetoed(@Nullable String by, @Nullable String reason, boolean withdrawn)
      implements CallStanding {}

  /** Nobody approved the call in time. */
  record Expired() implements CallStanding {}

  /** A person approved the call's plan without this call. */
  record Skipped() implements CallStanding {}

  /** A person must approve the call. */
  record Held() implements CallStanding {}

  /** The call continues by itself when the state that it waits on ends. */
  record Waiting(WaitingOn on) implements CallStanding {}

  /** Returns whether this state is final. */
  default boolean isOver() {
    return !(this instanceof Held || this instanceof Waiting);
  }

  static CallStanding of(Plan plan, Action action, Instant now) {
    Action.Disposal disposal = action.disposal();
    if (disposal != null) {
      return of(action, disposal);
    }
    return switch (plan.status(now)) {
      case VETOED -> vetoed(plan);
      case EXPIRED -> new Expired();
      case EXECUTED -> new Skipped();
      case PROPOSED -> {
        WaitingOn on = plan.waitingOn();
        yield on == WaitingOn.APPROVAL
            ? new Held()
            : new Waiting(on == null ? WaitingOn.EXECUTION : on);
      }
    };
  }

  private static CallStanding of(Action action, Action.Disposal disposal) {
    Action.Resolution resolution = action.resolution();
    if (resolution != null) {
      return resolution.applied() ? new Applied() : new Failed(resolution.reason());
    }
    String error =
        disposal.error() == null ? "The source system gave no reason." : disposal.error();
    return switch (disposal.outcome()) {
      case APPLIED -> new Applied();
      case DEDUPLICATED ->
          new Deduplicated(disposal.holder() == null ? null : disposal.holder().action());
      case REFUSED -> new Refused();
      case UNKNOWN -> new Unknown(error);
      default -> new Failed(error);
    };
  }

  private static CallStanding vetoed(Plan plan) {
    Plan.Ending ending = plan.ending();
    return ending == null
        ? new Vetoed(null, null, false)
        : new Vetoed(ending.vetoedBy(), ending.reason(), ending.withdrawn());
  }
}
