package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Allowance.Part;
import io.actiongovernance.access.Allowance.Pending;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Reserves what an attempt to claim needs of the allowance. A process that dies between its
 * reservation and its claim leaves a part that nobody will settle; it takes room only under a cap,
 * so it is looked for where a cap refuses somebody, and given back then. Thread-safe.
 */
public final class ReserveAllowance {
  /** No attempt is still under way after this: longer than any invocation may run. */
  public static final Duration LONGEST_ATTEMPT = Duration.ofMinutes(2);

  /** The refusal of a request for whose actions there is no room. */
  static final Refusal NO_ROOM =
      new Refusal.QuotaExceeded(
          "The action allowance's hard cap leaves no room for these actions.",
          Duration.ofSeconds(60));

  private static final int MOST_AT_ONCE = 100;

  private final Allowance allowance;
  private final PlannedActions planned;
  private final Ids ids;
  private final InstantSource clock;

  public ReserveAllowance(
      Allowance allowance, PlannedActions planned, Ids ids, InstantSource clock) {
    this.allowance = allowance;
    this.planned = planned;
    this.ids = ids;
    this.clock = clock;
  }

  /** The part of the allowance that a new attempt to claim is to have. */
  Part attempt(Allowance.Terms terms) {
    return allowance.part(terms, ids.next());
  }

  /** The same under the terms as they are now. */
  Part attempt(Partition partition) {
    return attempt(allowance.terms(partition));
  }

  /** Gives back what an attempt reserved for an action, and did not come to need. */
  void release(Partition partition, Part part, ActionId action) {
    allowance.release(partition, part, action);
  }

  /**
   * Reserves one action each, or none at all.
   *
   * @return whether there was room for all of them
   */
  public boolean reserve(Partition partition, Part part, List<ActionId> wanted) {
    String period = part.period();
    return allowance.reserve(partition, part, wanted)
        || (period != null
            && reclaim(partition, period) > 0
            && allowance.reserve(partition, part, wanted));
  }

  /**
   * Gives back what attempts reserved that never came to be claims, or that is over.
   *
   * @return how many actions' parts were given back
   */
  public int reclaim(Partition partition, String period) {
    Instant latest = clock.instant().minus(LONGEST_ATTEMPT);
    List<Pending> leftOver =
        allowance.pending(partition, period).stream()
            .filter(pending -> pending.part().madeAt().isBefore(latest))
            .limit(MOST_AT_ONCE)
            .filter(pending -> !claimed(partition, pending))
            .toList();
    leftOver.forEach(pending -> allowance.release(partition, pending.part(), pending.action()));
    return leftOver.size();
  }

  private boolean claimed(Partition partition, Pending pending) {
    Optional<Action> action = planned.actions().find(partition, pending.action());
    // What became of an action ends its part. A month that was opened just then may have carried it
    // over all the same.
    if (action.isEmpty() || (action.get().settled() && !action.get().unresolved())) {
      return false;
    }
    Action.Undoing undoing = action.get().terms().undoing();
    if (undoing != null) {
      return pending.part().sameAttempt(undoing.part());
    }
    return planned
        .planOf(action.get())
        .map(Plan::claim)
        .map(claim -> pending.part().sameAttempt(claim.part()))
        .orElse(false);
  }
}
