package io.actiongovernance.store;

import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page from a query whose items may need further filtering, with bounded work. A page ends
 * when it is full, when it has grown to about 4 MB, or when {@value #MOST_READ_PER_ITEM} items were
 * read for each item wanted (contract, section 1, Lists).
 */
public final class Listing {
  private static final int MOST_READ_PER_ITEM = 20;
  private static final long MOST_BYTES = 4_200_000;

  private Listing() {}

  /**
   * Returns the page, highest range key first, which is the newest.
   *
   * @param query the range, before its upper bound is lowered for the page
   * @param range the range key of an item in the query's order; a page ends at this position
   * @param read the item's form in the list, or empty if it is not in the list
   */
  public static <T> Page<T> page(
      Store store,
      Query query,
      PageRequest request,
      Function<Item, String> range,
      Function<Item, Optional<T>> read) {
    return page(store, query, request, range, read, Listing::size);
  }

  /**
   * Returns the page of items that are in several places.
   *
   * @param find runs a query that was narrowed and limited for the page
   */
  public static <T> Page<T> page(
      Function<Query, Slice> find,
      Query query,
      PageRequest request,
      Function<Item, String> range,
      Function<Item, Optional<T>> read) {
    return page(find, query, request, range, read, Listing::size);
  }

  /**
   * Returns the page, lowest range key first.
   *
   * @param query the range, before its lower bound is raised for the page
   * @param range the range key of an item; all have the same length, so that none begins with
   *     another
   */
  public static <T> Page<T> ascending(
      Function<Query, Slice> find,
      Query query,
      PageRequest request,
      Function<Item, String> range,
      Function<Item, Optional<T>> read) {
    return read(
        find,
        last -> last == null ? query : query.from(last + "$"),
        request,
        range,
        read,
        Listing::size);
  }

  /**
   * Returns the page of items that have only a part of what the list shows for them.
   *
   * @param size approximate size in bytes of an item's form in the page
   */
  public static <T> Page<T> page(
      Store store,
      Query query,
      PageRequest request,
      Function<Item, String> range,
      Function<Item, Optional<T>> read,
      ToLongFunction<Item> size) {
    return page(store::query, query, request, range, read, size);
  }

  private static <T> Page<T> page(
      Function<Query, Slice> find,
      Query query,
      PageRequest request,
      Function<Item, String> range,
      Function<Item, Optional<T>> read,
      ToLongFunction<Item> size) {
    return read(
        find,
        last -> query.newestFirst().below(lower(last, query.below())),
        request,
        range,
        read,
        size);
  }

  /**
   * @param rest the part of the query after the item with this range key; null for the whole query
   */
  private static <T> Page<T> read(
      Function<Query, Slice> find,
      Function<@Nullable String, Query> rest,
      PageRequest request,
      Function<Item, String> range,
      Function<Item, Optional<T>> read,
      ToLongFunction<Item> size) {
    List<T> found = new ArrayList<>();
    String last = request.after();
    long bytes = 0;
    int budget = request.limit() * MOST_READ_PER_ITEM;
    boolean more = true;
    while (more && found.size() < request.limit() && budget > 0 && bytes < MOST_BYTES) {
      Slice slice =
          find.apply(rest.apply(last).limit(Math.min(budget, request.limit() - found.size())));
      more = slice.more();
      for (Item item : slice.items()) {
        if (found.size() == request.limit() || bytes >= MOST_BYTES) {
          more = true;
          break;
        }
        last = range.apply(item);
        budget--;
        bytes += size.applyAsLong(item);
        read.apply(item).ifPresent(found::add);
      }
    }
    return new Page<>(found, more ? last : null);
  }

  private static @Nullable String lower(@Nullable String one, @Nullable String other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) < 0 ? one : other;
  }

  private static long size(Item item) {
    return item.attributes().values().stream()
        .mapToLong(
            value ->
                value instanceof String text ? text.getBytes(StandardCharsets.UTF_8).length : 16)
        .sum();
  }
}
