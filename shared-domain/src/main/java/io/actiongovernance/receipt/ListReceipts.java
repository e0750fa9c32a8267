package io.actiongovernance.receipt;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Few;
import io.actiongovernance.store.ItemRange;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/receipts}: newest first, by any of the documented filters. Thread-safe. */
public final class ListReceipts {
  private final Store store;
  private final Ancestry ancestry;

  public ListReceipts(Store store, Ancestry ancestry) {
    this.store = store;
    this.ancestry = ancestry;
  }

  public Page<Receipt> list(Partition partition, ReceiptFilter filter, PageRequest page) {
    ItemRange source = source(partition, filter);
    return Listing.page(
        source::query,
        query(source, filter),
        page,
        item -> item.key().range(),
        item -> Optional.of(ReceiptLedger.receipt(partition, item)).filter(filter::matches));
  }

  /**
   * Returns one stretch of the list, for callers that read all of it: the matching receipts among
   * the next {@code most} receipts of the filter's range.
   *
   * @param after the {@link Page#next()} of the stretch before; null for the first
   */
  public Page<Receipt> stretch(
      Partition partition, ReceiptFilter filter, @Nullable String after, int most) {
    ItemRange source = source(partition, filter);
    Query query = query(source, filter).newestFirst().limit(most);
    Slice slice = source.query(after == null ? query : query.below(after));
    return new Page<>(
        slice.items().stream()
            .map(item -> ReceiptLedger.receipt(partition, item))
            .filter(filter::matches)
            .toList(),
        slice.end(query));
  }

  private static Query query(ItemRange source, ReceiptFilter filter) {
    return source
        .whole()
        .from(ReceiptLedger.bound(filter.since()))
        .below(ReceiptLedger.bound(filter.until()));
  }

  /** Returns a range that includes the receipts of a filter. */
  private ItemRange source(Partition partition, ReceiptFilter filter) {
    Map<ReceiptFilter.Field, String> fields = filter.fields();
    String action = fields.get(ReceiptFilter.Field.ACTION);
    if (action != null) {
      return these(partition, ActionId.parse(action).map(id -> ancestry.receiptsOf(partition, id)));
    }
    Spread spread = Allowance.spread(store, partition);
    String plan = fields.get(ReceiptFilter.Field.PLAN);
    if (plan != null) {
      return ofPlan(partition, plan, spread);
    }
    for (ReceiptFilter.Field field : ReceiptFilter.Field.values()) {
      String value = fields.get(field);
      if (value != null && field.indexes(value)) {
        return field == ReceiptFilter.Field.EVENT
            ? ofEvent(partition, value, spread)
            : index(partition, field, value, spread);
      }
    }
    return Merged.of(store, Table.RECEIPTS, partitions(partition, fields, spread));
  }

  private Few these(Partition partition, Optional<List<ReceiptId>> ids) {
    return new Few(
        store,
        Table.RECEIPTS,
        ids.orElse(List.of()).stream().map(id -> ReceiptLedger.key(partition, id)).toList());
  }

  private ItemRange ofPlan(Partition partition, String plan, Spread spread) {
    Optional<PlanId> id = PlanId.parse(plan);
    Optional<CorrelationId> voted = id.flatMap(one -> ancestry.votedUnder(partition, one));
    return voted.isPresent()
        ? index(partition, ReceiptFilter.Field.CORRELATION, voted.get().value(), spread)
        : these(partition, id.map(one -> ancestry.receiptsOf(partition, one)));
  }

  private Merged ofEvent(Partition partition, String event, Spread spread) {
    return EventId.parse(event)
        .flatMap(id -> ancestry.correlationOf(partition, id))
        .map(id -> index(partition, ReceiptFilter.Field.CORRELATION, id.value(), spread))
        .orElseGet(() -> index(partition, ReceiptFilter.Field.EVENT, event, spread));
  }

  private Merged index(
      Partition partition, ReceiptFilter.Field field, String value, Spread spread) {
    return Merged.of(
        store, Table.RECEIPTS, field.index(), field.partitions(partition, value, spread));
  }

  /**
   * Returns the partitions of the ledger to read: only that of configuration receipts, all others,
   * or all.
   */
  private static List<String> partitions(
      Partition partition, Map<ReceiptFilter.Field, String> fields, Spread spread) {
    String kind = fields.get(ReceiptFilter.Field.KIND);
    if (Receipt.Kind.CONFIG.wire().equals(kind)) {
      return List.of(ReceiptLedger.ofConfig(partition));
    }
    List<String> partitions = new ArrayList<>(ReceiptLedger.shards(partition, spread));
    if (kind == null) {
      partitions.add(ReceiptLedger.ofConfig(partition));
    }
    return partitions;
  }
}
