package io.actiongovernance.action;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.access.Spread;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemRange;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/actions}: disposed actions, latest disposal first. Actions of an entity or an
 * operator are found by the receipts of their disposals, which are listed both by entity and by
 * operator. Thread-safe.
 */
public final class ListActions {
  private final Store store;
  private final Actions actions;
  private final ReceiptLedger ledger;
  private final BiFunction<Partition, PlanId, List<ActionId>> actionsOf;

  /**
   * @param actionsOf returns the actions that a plan was proposed with
   */
  public ListActions(
      Store store,
      Actions actions,
      ReceiptLedger ledger,
      BiFunction<Partition, PlanId, List<ActionId>> actionsOf) {
    this.store = store;
    this.actions = actions;
    this.ledger = ledger;
    this.actionsOf = actionsOf;
  }

  /**
   * Filter of the list: actions that match everything given.
   *
   * @param since disposed at this time or later
   * @param until disposed before this time
   * @param unresolved only those that wait to be resolved
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

    /**
     * Returns the operator whose actions are read: the requested operator, or the only one within
     * reach.
     */
    @Nullable OperatorId read() {
      return operator == null ? reach.onlyOperator() : operator;
    }
  }

  public Page<Action> list(Partition partition, Filter filter, PageRequest page) {
    Optional<ItemRange> receipts = receipts(partition, filter);
    if (receipts.isPresent()) {
      return byReceipts(partition, filter, page, receipts.get());
    }
    Merged source = source(partition, filter);
    Query query = source.whole().from(bound(filter.since())).below(bound(filter.until()));
    PlanId plan = filter.plan();
    List<Item> proposed =
        plan == null || filter.unresolved() ? List.of() : proposed(partition, plan);
    return Listing.page(
        part -> with(proposed, part, source.query(part)),
        query,
        page,
        query::rangeOf,
        item -> read(partition, item).filter(filter::matches));
  }

  /**
   * Returns the receipts that include the list's disposals; empty if the list is not read by
   * receipts.
   */
  private Optional<ItemRange> receipts(Partition partition, Filter filter) {
    if (filter.unresolved() || filter.plan() != null) {
      return Optional.empty();
    }
    return filter.entity() != null
        ? Optional.of(ledger.ofEntity(partition, filter.entity()))
        : Optional.ofNullable(filter.read())
            .map(operator -> ledger.ofOperator(partition, operator));
  }

  private Page<Action> byReceipts(
      Partition partition, Filter filter, PageRequest page, ItemRange receipts) {
    Query query =
        receipts
            .whole()
            .from(ReceiptLedger.bound(filter.since()))
            .below(ReceiptLedger.bound(filter.until()));
    Map<ReceiptId, Action> disposed = new HashMap<>();
    return Listing.page(
        part -> {
          Slice slice = receipts.query(part);
          disposed.putAll(disposed(partition, slice));
          return slice;
        },
        query,
        page,
        query::rangeOf,
        item ->
            Optional.ofNullable(disposed.get(new ReceiptId(item.key().range())))
                .filter(filter::matches));
  }

  /** Returns the disposed actions that these receipts record, by receipt. */
  private Map<ReceiptId, Action> disposed(Partition partition, Slice receipts) {
    List<ActionId> ids =
        receipts.items().stream()
            .map(item -> ReceiptLedger.receipt(partition, item))
            .filter(receipt -> receipt.text("disposition") != null)
            .flatMap(receipt -> Stream.ofNullable(receipt.text("action_id")))
            .distinct()
            .map(ActionId::new)
            .toList();
    Map<ReceiptId, Action> disposed = new HashMap<>();
    for (Action action : actions.findAll(partition, ids)) {
      if (action.disposal() != null) {
        disposed.put(action.disposal().receiptId(), action);
      }
    }
    return disposed;
  }

  /** Returns the disposed actions among those that a plan was proposed with. */
  private List<Item> proposed(Partition partition, PlanId plan) {
    return store
        .getAll(
            actionsOf.apply(partition, plan).stream()
                .map(id -> Actions.key(partition, id))
                .toList())
        .stream()
        .filter(item -> item.has("ordered"))
        .toList();
  }

  /** Merges a query's result with those of the given items that are in its range. */
  private static Slice with(List<Item> few, Query query, Slice found) {
    if (few.isEmpty()) {
      return found;
    }
    String last = found.end(query);
    String end = last == null ? "" : last;
    List<Item> all =
        Stream.concat(
                few.stream()
                    .filter(item -> query.holds(query.rangeOf(item)))
                    .filter(item -> query.rangeOf(item).compareTo(end) >= 0),
                found.items().stream())
            .sorted(Comparator.comparing(query::rangeOf, Comparator.reverseOrder()))
            .toList();
    return all.size() > query.limit()
        ? new Slice(all.subList(0, query.limit()), true)
        : new Slice(all, found.more());
  }

  private Optional<Action> read(Partition partition, Item item) {
    // The row of an unresolved action only names the action.
    return item.has("doc")
        ? Optional.of(Actions.read(item))
        : store.get(Actions.key(partition, new ActionId(item.text("id")))).map(Actions::read);
  }

  private Merged source(Partition partition, Filter filter) {
    if (filter.unresolved()) {
      return Merged.of(store, Table.STATE, List.of(Actions.unresolved(partition)));
    }
    if (filter.plan() != null) {
      return by("by_parent", List.of(Actions.byUndone(partition, filter.plan())));
    }
    Spread spread = Allowance.spread(store, partition);
    List<Disposition> dispositions =
        filter.disposition() == null
            ? List.of(Disposition.values())
            : List.of(filter.disposition());
    return by(
        "by_status",
        dispositions.stream()
            .flatMap(one -> spread.keys(Actions.byDisposition(partition, one)).stream())
            .toList());
  }

  private Merged by(String index, List<String> partitions) {
    return Merged.of(store, Table.STATE, index, partitions);
  }

  private static @Nullable String bound(@Nullable Instant instant) {
    return instant == null
        ? null
        : Timestamps.format(instant.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS));
  }
}
