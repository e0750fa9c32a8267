package io.actiongovernance.store;

import java.util.List;

/**
 * Part of a query's answer, in order.
 *
 * @param more whether the range may hold items past the last one here; a slice may be cut short by
 *     its size (1 MB)
 */
public record Slice(List<Item> items, boolean more) {
  public Slice {
    items = List.copyOf(items);
  }
}
