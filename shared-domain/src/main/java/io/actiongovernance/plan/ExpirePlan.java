package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.halt.Freezes;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Store;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records that plans have expired. They are expired for every reader from their instant on; this
 * only writes it down, with a receipt for each action (specification, States; contract, section 2).
 * Thread-safe.
 */
public final class ExpirePlan {
  /**
   * At most this many plans are looked at on the way of one request; of a rare backlog, the rest is
   * in the list once the sweeper has recorded it.
   */
  private static final int MOST_AT_ONCE = 1_000;

  private final Store store;
  private final Plans plans;
  private final CloseActions closeActions;
  private final HaltRegister halts;
  private final InstantSource clock;

  public ExpirePlan(
      Store store,
      Plans plans,
      CloseActions closeActions,
      HaltRegister halts,
      InstantSource clock) {
    this.store = store;
    this.halts = halts;
    this.plans = plans;
    this.closeActions = closeActions;
    this.clock = clock;
  }

  /** Whether the time of a plan at hand is over, as far as that knows. */
  public boolean isOverdue(Plan plan) {
    return plan.overdue(clock.instant());
  }

  /** Records that the plan expired, if it is overdue; answers with the plan as it then is. */
  public Optional<Plan> record(Partition partition, PlanId id) {
    Optional<Plan> found = plans.find(partition, id);
    return found.isPresent() ? Optional.of(record(found.get())) : found;
  }

  /** The same for a plan at hand. */
  public Plan record(Plan plan) {
    Instant now = clock.instant();
    Plan known = known(plan, now);
    return known.overdue(now) ? expire(known, known.expiresAt(), null) : known;
  }

  /** The plan as any reader sees it now: expired if it is overdue, whether or not recorded. */
  public Plan seen(Plan plan) {
    Instant now = clock.instant();
    Plan known = known(plan, now);
    return known.overdue(now) ? known.expired() : known;
  }

  /**
   * The plan at hand may not know of a halt that was answered since it was read. Read again, now
   * that its time is over, it knows of all that began before.
   */
  private Plan known(Plan plan, Instant now) {
    return plan.overdue(now) ? plans.find(plan.partition(), plan.id()).orElseThrow() : plan;
  }

  /** Ends an open plan before its time, because its operator is gone. */
  public Plan endEarly(Plan plan, String reason) {
    Instant now = clock.instant();
    return plan.open(now) ? expire(plan, now, reason) : record(plan);
  }

  /** The plans of the partition that are overdue, as any reader sees them; newest first. */
  List<Plan> overdue(Partition partition) {
    Freezes freezes = halts.freezes(partition);
    Merged open = plans.open(partition);
    List<Plan> found = new ArrayList<>();
    open.all(open.whole().below(Timestamps.format(clock.instant()) + "$"))
        .limit(MOST_AT_ONCE)
        .map(item -> seen(Plans.withFreeze(Plans.read(item), freezes)))
        .filter(plan -> plan.state() == Plan.State.EXPIRED)
        .forEach(found::add);
    found.sort(Comparator.comparing((Plan plan) -> plan.id().value()).reversed());
    return found;
  }

  /** Ends the open plans of an operator that is gone. */
  public void endPlansOf(Partition partition, OperatorId operator) {
    Freezes freezes = halts.freezes(partition);
    Merged open = plans.open(partition);
    open.all(open.whole())
        .map(item -> Plans.withFreeze(Plans.read(item), freezes))
        .filter(plan -> plan.terms().operatorId().equals(operator))
        .forEach(plan -> endEarly(plan, "The operator was archived."));
  }

  private Plan expire(Plan plan, Instant disposedAt, @Nullable String reason) {
    Plan.Ending ending =
        new Plan.Ending("expiry", null, null, reason, null, closeActions.mint(plan), false);
    // Refused means that somebody else was first, with an expiry or whatever else; what is stored
    // now tells.
    store.write(PlanWrites.expire(plan, ending, disposedAt, clock.instant()));
    return closeActions.complete(plans.find(plan.partition(), plan.id()).orElseThrow());
  }
}
