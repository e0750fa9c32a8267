package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.api.Page;
import io.actiongovernance.api.PageRequest;
import io.actiongovernance.halt.Freezes;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/plans}: newest first. Thread-safe. */
public final class ListPlans {
  private final Store store;
  private final InstantSource clock;
  private final ExpirePlan expirePlan;
  private final HaltRegister halts;

  public ListPlans(Store store, InstantSource clock, ExpirePlan expirePlan, HaltRegister halts) {
    this.store = store;
    this.halts = halts;
    this.clock = clock;
    this.expirePlan = expirePlan;
  }

  /**
   * Which plans the list holds: those that agree in everything given, proposed at {@code since} or
   * later and before {@code until}.
   */
  public record Filter(
      @Nullable PlanStatus status,
      @Nullable OperatorId operator,
      @Nullable String entity,
      @Nullable EventId event,
      @Nullable WaitingOn waitingOn,
      @Nullable Instant since,
      @Nullable Instant until,
      Reach reach) {

    boolean holds(Plan plan, Instant now) {
      return (status == null || status == plan.status(now))
          && (operator == null || operator.equals(plan.terms().operatorId()))
          && (event == null || event.equals(plan.terms().eventId()))
          && (waitingOn == null
              || (waitingOn == plan.waitingOn() && plan.status(now) == PlanStatus.PROPOSED))
          && reach.holds(plan.terms().workspaceId(), plan.terms().operatorId());
    }

    /** The operator whose plans are read: the one asked for, or the only one within reach. */
    @Nullable OperatorId read() {
      return operator == null ? reach.onlyOperator() : operator;
    }
  }

  public Page<Plan> list(Partition partition, Filter filter, PageRequest page) {
    if (filter.status() == PlanStatus.EXPIRED) {
      // The index of expired plans holds what was recorded: record what is overdue, so that it
      // agrees with what is true.
      expirePlan.recordOverdue(partition);
    }
    Instant now = clock.instant();
    Freezes freezes = halts.freezes(partition);
    Query query = range(partition, filter).from(bound(filter.since())).below(bound(filter.until()));
    return Listing.page(
        store,
        query,
        page,
        item -> item.has("ordered") ? item.text("ordered") : item.key().range(),
        item ->
            read(partition, item)
                .map(plan -> Plans.withFreeze(plan, freezes))
                .filter(plan -> filter.holds(plan, now)));
  }

  private Optional<Plan> read(Partition partition, Item item) {
    // An entity row names its plan; one whose plan does not exist was never finished.
    return item.has("doc")
        ? Optional.of(Plans.read(item))
        : store.get(Plans.key(partition, new PlanId(item.key().range()))).map(Plans::read);
  }

  private static Query range(Partition partition, Filter filter) {
    if (filter.event() != null) {
      return by("by_parent", Plans.byEvent(partition, filter.event().value()));
    }
    if (filter.entity() != null) {
      return Query.of(Table.STATE, Plans.byEntity(partition, filter.entity()));
    }
    if (filter.waitingOn() != null) {
      return by("by_list", Plans.byWaiting(partition, filter.waitingOn()));
    }
    OperatorId operator = filter.read();
    if (operator != null) {
      return by("by_operator", Plans.byOperator(partition, operator.value()));
    }
    if (filter.status() != null) {
      return by("by_status", Plans.byStatus(partition, filter.status()));
    }
    return Query.of(Table.STATE, Plans.list(partition));
  }

  private static Query by(String index, String partition) {
    return Query.of(Table.STATE, index, partition);
  }

  private static @Nullable String bound(@Nullable Instant instant) {
    return instant == null ? null : PlanId.PREFIX + Ids.floor(instant);
  }
}
