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
 * Records that plans have expired, with a receipt for each action (specification, States; contract,
 * section 2). Every reader sees them as expired from the instant of expiry on, whether or not it
 * has been recorded. Thread-safe.
 */
public final class ExpirePlan {
  /**
   * Maximum number of plans examined during one request. In a rare backlog, the list has the rest
   * after the sweeper has recorded them.
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

  /** Returns whether a plan has expired, as far as this copy knows of halts. */
  public boolean isOverdue(Plan plan) {
    return plan.overdue(clock.instant());
  }

  /** Records that the plan expired, if it is overdue; returns its resulting state. */
  public Optional<Plan> record(Partition partition, PlanId id) {
    Optional<Plan> found = plans.find(partition, id);
    return found.isPresent() ? Optional.of(record(found.get())) : found;
  }

  /** Records that the plan expired, if it is overdue; returns its resulting state. */
  public Plan record(Plan plan) {
    Instant now = clock.instant();
    Plan known = known(plan, now);
    return known.overdue(now) ? expire(known, known.expiresAt(), null) : known;
  }

  /**
   * Returns the plan as any reader sees it now: expired if it is overdue, whether or not that has
   * been recorded.
   */
  public Plan seen(Plan plan) {
    Instant now = clock.instant();
    Plan known = known(plan, now);
    return known.overdue(now) ? known.expired() : known;
  }

  /**
   * Reads an overdue plan again, because this copy may lack a halt that was answered since. Read
   * after the plan's time, the new copy includes every halt that began before.
   */
  private Plan known(Plan plan, Instant now) {
    return plan.overdue(now) ? plans.find(plan.partition(), plan.id()).orElseThrow() : plan;
  }

  public Plan endEarly(Plan plan, String reason) {
    Instant now = clock.instant();
    return plan.open(now) ? expire(plan, now, reason) : record(plan);
  }

  /** Returns the overdue plans of the partition as any reader sees them, newest first. */
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

  /** Ends the open plans of an archived operator. */
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
    // A refusal means that another expiry or transition came first: the stored state decides.
    store.write(PlanWrites.expire(plan, ending, disposedAt, clock.instant()));
    return closeActions.complete(plans.find(plan.partition(), plan.id()).orElseThrow());
  }
}
