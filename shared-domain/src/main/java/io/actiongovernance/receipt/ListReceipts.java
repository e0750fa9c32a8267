package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/receipts}: newest first, by any of the documented filters, each from an index of
 * its own. Thread-safe.
 */
public final class ListReceipts {
  private final Store store;

  public ListReceipts(Store store) {
    this.store = store;
  }

  public Page<Receipt> list(Partition partition, ReceiptFilter filter, PageRequest page) {
    return Listing.page(
        query -> read(query, partition, filter),
        query(partition, filter),
        page,
        item -> item.key().range(),
        item -> Optional.of(ReceiptLedger.receipt(partition, item)).filter(filter::matches));
  }

  /**
   * One stretch of the same list, for those who read all of it: as many receipts as are among the
   * next {@code most} of the range that is read for the filter.
   *
   * @param after the {@link Page#next()} of the stretch before, null for the first
   */
  public Page<Receipt> stretch(
      Partition partition, ReceiptFilter filter, @Nullable String after, int most) {
    Query query = query(partition, filter).newestFirst().limit(most);
    Slice slice = read(after == null ? query : query.below(after), partition, filter);
    List<Item> items = slice.items();
    return new Page<>(
        items.stream()
            .map(item -> ReceiptLedger.receipt(partition, item))
            .filter(filter::matches)
            .toList(),
        slice.more() && !items.isEmpty() ? items.getLast().key().range() : null);
  }

  private static Query query(Partition partition, ReceiptFilter filter) {
    return range(partition, filter).from(bound(filter.since())).below(bound(filter.until()));
  }

  private static Query range(Partition partition, ReceiptFilter filter) {
    return Arrays.stream(ReceiptFilter.Field.values())
        .filter(field -> indexes(field, filter))
        .findFirst()
        .map(
            field ->
                Query.of(
                    Table.RECEIPTS,
                    field.index(),
                    field.partition(partition, filter.fields().getOrDefault(field, ""))))
        .orElseGet(
            () ->
                Query.of(
                    Table.RECEIPTS,
                    Receipt.Kind.CONFIG.wire().equals(filter.fields().get(ReceiptFilter.Field.KIND))
                        ? ReceiptLedger.ofConfig(partition)
                        : ReceiptLedger.partition(partition)));
  }

  private static boolean indexes(ReceiptFilter.Field field, ReceiptFilter filter) {
    String value = filter.fields().get(field);
    return value != null && field.indexes(value);
  }

  /** What a query finds; without an index or a kind, in both partitions of the ledger. */
  private Slice read(Query query, Partition partition, ReceiptFilter filter) {
    Slice found = store.query(query);
    if (query.index() != null || filter.fields().containsKey(ReceiptFilter.Field.KIND)) {
      return found;
    }
    return merged(found, store.query(query.in(ReceiptLedger.ofConfig(partition))), query.limit());
  }

  /** Both, newest first, as far down as neither of them can hold anything that is not here. */
  private static Slice merged(Slice one, Slice other, int limit) {
    String complete =
        Stream.of(one, other)
            .filter(slice -> slice.more() && !slice.items().isEmpty())
            .map(slice -> slice.items().getLast().key().range())
            .max(Comparator.naturalOrder())
            .orElse("");
    List<Item> all =
        Stream.of(one, other)
            .flatMap(slice -> slice.items().stream())
            .filter(item -> item.key().range().compareTo(complete) >= 0)
            .sorted(Comparator.comparing((Item item) -> item.key().range()).reversed())
            .toList();
    return all.size() > limit
        ? new Slice(all.subList(0, limit), true)
        : new Slice(all, one.more() || other.more());
  }

  private static @Nullable String bound(@Nullable Instant instant) {
    return instant == null ? null : ReceiptId.PREFIX + Ids.floor(instant);
  }
}
