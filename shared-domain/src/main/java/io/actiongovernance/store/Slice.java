package io.actiongovernance.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a query's result, in order.
 *
 * @param more whether the range may hold items after the last one here; a slice may be cut short
 *     because of its size (1 MB)
 */
public record Slice(List<Item> items, boolean more) {
  public Slice {
    items = List.copyOf(items);
  }

  /**
   * Returns the range key up to which no item is missing here, and from which to continue the
   * query; null if no item is missing at all.
   */
  public @Nullable String end(Query query) {
    return more && !items.isEmpty() ? query.rangeOf(items.getLast()) : null;
  }
}
