package io.actiongovernance.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.halt.Freezes;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Few;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemRange;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/plans}: newest first, or the approval queue by its deadlines. Thread-safe. */
public final class ListPlans {
  private final Store store;
  private final Plans plans;
  private final InstantSource clock;
  private final ExpirePlan expirePlan;
  private final HaltRegister halts;
  private final EventLog eventLog;

  public ListPlans(
      Store store,
      Plans plans,
      InstantSource clock,
      ExpirePlan expirePlan,
      HaltRegister halts,
      EventLog eventLog) {
    this.store = store;
    this.eventLog = eventLog;
    this.plans = plans;
    this.halts = halts;
    this.clock = clock;
    this.expirePlan = expirePlan;
  }

  /**
   * Filter of the list: plans that match all given conditions, proposed at {@code since} or later
   * and before {@code until}.
   *
   * @param admits the reader's own condition, tested last
   */
  public record Filter(
      @Nullable PlanStatus status,
      @Nullable OperatorId operator,
      @Nullable String entity,
      @Nullable EventId event,
      @Nullable WaitingOn waitingOn,
      @Nullable Instant since,
      @Nullable Instant until,
      Reach reach,
      Predicate<Plan> admits) {
    public Filter(
        @Nullable PlanStatus status,
        @Nullable OperatorId operator,
        @Nullable String entity,
        @Nullable EventId event,
        @Nullable WaitingOn waitingOn,
        @Nullable Instant since,
        @Nullable Instant until,
        Reach reach) {
      this(status, operator, entity, event, waitingOn, since, until, reach, _ -> true);
    }

    boolean matches(Plan plan, Instant now) {
      return (status == null || status == plan.status(now))
          && (operator == null || operator.equals(plan.terms().operatorId()))
          && (event == null || event.equals(plan.terms().eventId()))
          && (waitingOn == null
              || (waitingOn == plan.waitingOn() && plan.status(now) == PlanStatus.PROPOSED))
          && reach.covers(plan.terms().workspaceId(), plan.terms().operatorId())
          && admits.test(plan);
    }

    /**
     * Returns the operator whose plans are read: the requested operator, or the only one within
     * reach.
     */
    @Nullable OperatorId read() {
      return operator == null ? reach.onlyOperator() : operator;
    }

    /** Returns whether the plan was proposed between {@code since} and {@code until}. */
    boolean spans(Plan plan) {
      Instant proposedAt = plan.terms().proposedAt();
      return (since == null || !proposedAt.isBefore(since))
          && (until == null || proposedAt.isBefore(until));
    }
  }

  /** Order of the list, if it is not newest first. */
  public enum Order {
    DEADLINE;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Page<Plan> list(Partition partition, Filter filter, PageRequest page) {
    Instant now = clock.instant();
    Freezes freezes = halts.freezes(partition);
    ItemRange source = source(partition, filter);
    Query query = source.whole().from(bound(filter.since())).below(bound(filter.until()));
    // Read before the recorded plans. If a plan is recorded in between, it is then in both, never
    // in neither.
    List<Plan> overdue = readsRecordedExpiries(filter) ? expirePlan.overdue(partition) : List.of();
    Page<Plan> listed = listed(partition, filter, source, query, page, now, freezes);
    return overdue.isEmpty() ? listed : merged(listed, overdue, filter, page, now);
  }

  /** Returns whether the range that is read has expired plans only if their expiry was recorded. */
  private static boolean readsRecordedExpiries(Filter filter) {
    return filter.status() == PlanStatus.EXPIRED
        && filter.event() == null
        && filter.entity() == null
        && filter.waitingOn() == null
        && filter.operator() == null;
  }

  /** Returns the page with the overdue plans that belong on it. */
  private static Page<Plan> merged(
      Page<Plan> listed, List<Plan> overdue, Filter filter, PageRequest page, Instant now) {
    String after = page.after();
    String since = bound(filter.since());
    String until = bound(filter.until());
    String last = listed.next();
    Map<String, Plan> all = new TreeMap<>(Comparator.reverseOrder());
    for (Plan plan : overdue) {
      String id = plan.id().value();
      if (filter.matches(plan, now)
          && (after == null || id.compareTo(after) < 0)
          && (until == null || id.compareTo(until) < 0)
          && (since == null || id.compareTo(since) >= 0)
          && (last == null || id.compareTo(last) >= 0)) {
        all.put(id, plan);
      }
    }
    listed.items().forEach(plan -> all.put(plan.id().value(), plan));
    List<Plan> shown = all.values().stream().limit(page.limit()).toList();
    return new Page<>(shown, all.size() > shown.size() ? shown.getLast().id().value() : last);
  }

  private Page<Plan> listed(
      Partition partition,
      Filter filter,
      ItemRange source,
      Query query,
      PageRequest page,
      Instant now,
      Freezes freezes) {
    return Listing.page(
        source::query,
        query,
        page,
        query::rangeOf,
        item ->
            read(partition, item)
                .map(plan -> Plans.withFreeze(plan, freezes))
                .filter(plan -> filter.matches(plan, now)));
  }

  /**
   * Lists the plans that wait for approval, earliest deadline first (contract, section 2).
   *
   * <p>Pages follow the order in which the plans would expire without any halt. That order is fixed
   * at proposal, so a halt or lift between two pages cannot make a plan missing or listed twice.
   * Within a page, plans are in the order of their shown {@code expires_at}, with frozen time given
   * back. So the two orders differ only if halts froze some of the open plans for longer than
   * others.
   */
  public Page<Plan> byDeadline(Partition partition, Filter filter, PageRequest page) {
    Instant now = clock.instant();
    Freezes freezes = halts.freezes(partition);
    Merged open = plans.open(partition);
    Query query = open.whole();
    Page<Plan> stored =
        Listing.ascending(
            open::query,
            query,
            page,
            query::rangeOf,
            item ->
                Optional.of(Plans.withFreeze(Plans.read(item), freezes))
                    .filter(plan -> filter.matches(plan, now) && filter.spans(plan))
                    .filter(plan -> touches(plan, filter.entity())));
    List<Plan> shown = new ArrayList<>(stored.items());
    shown.sort(Comparator.comparing(Plan::expiresAt).thenComparing(plan -> plan.id().value()));
    return new Page<>(shown, stored.next());
  }

  private boolean touches(Plan plan, @Nullable String entity) {
    return entity == null || store.get(Plans.entityRow(plan, entity)).isPresent();
  }

  private Optional<Plan> read(Partition partition, Item item) {
    // An entity row names its plan. If that plan does not exist, it was never completely stored.
    return item.has("doc")
        ? Optional.of(Plans.read(item))
        : store.get(Plans.key(partition, new PlanId(item.key().range()))).map(Plans::read);
  }

  private ItemRange source(Partition partition, Filter filter) {
    if (filter.event() != null) {
      return new Few(
          store,
          Table.STATE,
          eventLog.plans(partition, filter.event()).ids().stream()
              .map(id -> Plans.key(partition, id))
              .toList());
    }
    if (filter.entity() != null) {
      return Merged.of(store, Table.STATE, List.of(Plans.byEntity(partition, filter.entity())));
    }
    if (filter.waitingOn() != null) {
      return plans.index("by_list", Plans.byWaiting(partition, filter.waitingOn()), partition);
    }
    OperatorId operator = filter.read();
    if (operator != null) {
      return plans.ofOperator(partition, operator);
    }
    if (filter.status() != null) {
      return plans.index("by_status", Plans.byStatus(partition, filter.status()), partition);
    }
    return plans.all(partition);
  }

  private static @Nullable String bound(@Nullable Instant instant) {
    return instant == null ? null : PlanId.PREFIX + Ids.floor(instant);
  }
}
