package io.actiongovernance.gateway;

import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.WaitingOn;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How far the call has come that a plan of one action is (contract for agents, section 4). */
public sealed interface CallStanding {
  /** It took effect. */
  record Applied() implements CallStanding {}

  /** It certainly did not. */
  record Failed(String error) implements CallStanding {}

  /** Nobody knows whether it did. */
  record Unknown(String error) implements CallStanding {}

  /** It was not made, since its idempotency key stands for what was done before. */
  record Deduplicated(@Nullable ActionId holder) implements CallStanding {}

  /** The policy refused it. */
  record Refused() implements CallStanding {}

  /** Somebody vetoed it; or who proposed it took it back. */
  record Vetoed(@Nullable String by, @Nullable String reason, boolean withdrawn)
      implements CallStanding {}

  /** Nobody approved it in time. */
  record Expired() implements CallStanding {}

  /** Somebody approved its plan without it. */
  record Skipped() implements CallStanding {}

  /** A person has to approve it. */
  record Held() implements CallStanding {}

  /** It goes on by itself once what it waits for is over. */
  record Waiting(WaitingOn on) implements CallStanding {}

  /** Whether nothing more comes of it by itself. */
  default boolean isOver() {
    return !(this instanceof Held || this instanceof Waiting);
  }

  /** The standing of a call. */
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
    String error = disposal.error() == null ? "The source system says no more." : disposal.error();
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
