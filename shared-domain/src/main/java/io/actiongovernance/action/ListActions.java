package io.actiongovernance.action;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/actions}: disposed actions, latest disposal first. Thread-safe. */
public final class ListActions {
  private final Store store;

  public ListActions(Store store) {
    this.store = store;
  }

  /**
   * Which actions the list holds: those that agree in everything given.
   *
   * @param since disposed at it or later
   * @param until disposed before it
   * @param unresolved only those whose outcome somebody has to say
   */
  public record Filter(
      @Nullable PlanId plan,
      @Nullable String entity,
      @Nullable Disposition disposition,
      @Nullable OperatorId operator,
      @Nullable Instant since,
      @Nullable Instant until,
      Reach reach,
      boolean unresolved) {

    boolean matches(Action action) {
      Action.Terms terms = action.terms();
      return (plan == null || plan.equals(terms.planId()))
          && (entity == null || entity.equals(terms.entityKey().value()))
          && (operator == null || operator.equals(terms.operatorId()))
          && (disposition == null
              || (action.disposal() != null && disposition == action.disposal().disposition()))
          && reach.covers(terms.workspaceId(), terms.operatorId())
          && (!unresolved || action.unresolved());
    }

    /** The operator whose actions are read: the one asked for, or the only one within reach. */
    @Nullable OperatorId read() {
      return operator == null ? reach.onlyOperator() : operator;
    }
  }

  public Page<Action> list(Partition partition, Filter filter, PageRequest page) {
    Query query = range(partition, filter).from(bound(filter.since())).below(bound(filter.until()));
    return Listing.page(
        store,
        query,
        page,
        item -> item.has("ordered") ? item.text("ordered") : item.key().range(),
        item -> read(partition, item).filter(filter::matches));
  }

  private Optional<Action> read(Partition partition, Item item) {
    // A row of those that wait to be resolved names its action.
    return item.has("doc")
        ? Optional.of(Actions.read(item))
        : store.get(Actions.key(partition, new ActionId(item.text("id")))).map(Actions::read);
  }

  private static Query range(Partition partition, Filter filter) {
    if (filter.unresolved()) {
      return Query.of(Table.STATE, Actions.unresolved(partition));
    }
    if (filter.plan() != null) {
      return by("by_parent", Actions.byPlan(partition, filter.plan().value()));
    }
    if (filter.entity() != null) {
      return by("by_entity", Actions.byEntity(partition, filter.entity()));
    }
    OperatorId operator = filter.read();
    if (operator != null) {
      return by("by_operator", Actions.byOperator(partition, operator.value()));
    }
    if (filter.disposition() != null) {
      return by("by_status", Actions.byDisposition(partition, filter.disposition()));
    }
    return by("by_list", Actions.list(partition));
  }

  private static Query by(String index, String partition) {
    return Query.of(Table.STATE, index, partition);
  }

  private static @Nullable String bound(@Nullable Instant instant) {
    return instant == null
        ? null
        : Timestamps.format(instant.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS));
  }
}
