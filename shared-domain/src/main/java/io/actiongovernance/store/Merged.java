package io.actiongovernance.store;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads several partitions, of a table or of one of its indexes, as if they were one, in the order
 * of a range key that no two items share. Thread-safe.
 */
public final class Merged implements ItemRange {
  /**
   * Number of items read from each partition beyond its share, because partitions differ in size.
   */
  private static final int SPARE = 8;

  private final Store store;
  private final Table table;
  private final @Nullable Index index;
  private final List<String> partitions;

  private Merged(Store store, Table table, @Nullable Index index, List<String> partitions) {
    this.store = store;
    this.table = table;
    this.index = index;
    this.partitions = List.copyOf(partitions);
  }

  /** Merges partitions of a table, of which there must be at least one. */
  public static Merged of(Store store, Table table, List<String> partitions) {
    return new Merged(store, table, null, partitions);
  }

  /** Merges partitions of an index, of which there must be at least one. */
  public static Merged of(Store store, Table table, String indexHash, List<String> partitions) {
    return new Merged(store, table, table.index(indexHash), partitions);
  }

  @Override
  public Query whole() {
    return new Query(table, index, partitions.getFirst(), null, null, false, 100);
  }

  @Override
  public Slice query(Query query) {
    if (partitions.size() == 1) {
      return store.query(query.in(partitions.getFirst()));
    }
    int share = Math.min(query.limit(), 2 * query.limit() / partitions.size() + SPARE);
    return merge(
        query,
        partitions.stream()
            .map(partition -> store.query(query.in(partition).limit(share)))
            .toList());
  }

  /** Merges the slices up to the range key before which no partition can have more items. */
  private Slice merge(Query query, List<Slice> slices) {
    Comparator<String> order =
        query.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    Optional<String> complete =
        slices.stream().flatMap(slice -> Stream.ofNullable(slice.end(query))).min(order);
    List<Item> all =
        slices.stream()
            .flatMap(slice -> slice.items().stream())
            .filter(
                item ->
                    complete.isEmpty() || order.compare(query.rangeOf(item), complete.get()) <= 0)
            .sorted(Comparator.comparing(query::rangeOf, order))
            .toList();
    if (all.size() > query.limit()) {
      return new Slice(all.subList(0, query.limit()), true);
    }
    return new Slice(all, slices.stream().anyMatch(Slice::more));
  }

  /** Returns everything in the query's range, however much it is. */
  public Stream<Item> all(Query query) {
    return Stream.iterate(
            Optional.of(query(query)),
            Optional::isPresent,
            slice -> slice.filter(Slice::more).map(last -> query(after(query, last))))
        .flatMap(slice -> slice.orElseThrow().items().stream());
  }

  private Query after(Query query, Slice slice) {
    String last = Objects.requireNonNull(slice.end(query));
    return query.descending() ? query.below(last) : query.from(last + "$");
  }
}
