package io.actiongovernance.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a query's answer, in order.
 *
 * @param more whether the range may hold items past the last one here; a slice may be cut short by
 *     its size (1 MB)
 * @param upTo where what was looked at ends, if that is before the end of the range and past the
 *     last item: as far as one page may go. There is more then; null where the last item says it
 */
public record Slice(List<Item> items, boolean more, @Nullable String upTo) {
  public Slice {
    items = List.copyOf(items);
    if (upTo != null && !more) {
      throw new IllegalArgumentException("There is more past " + upTo);
    }
  }

  /** One that ends with its last item. */
  public Slice(List<Item> items, boolean more) {
    this(items, more, null);
  }

  /**
   * The range key up to which nothing is missing here, from which on the query is to be asked
   * again; null if nothing is missing at all.
   */
  public @Nullable String end(Query query) {
    if (upTo != null) {
      return upTo;
    }
    return more && !items.isEmpty() ? query.rangeOf(items.getLast()) : null;
  }
}
