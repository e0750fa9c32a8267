package io.actiongovernance.page;

import org.jspecify.annotations.Nullable;

/**
 * The requested page of a list.
 *
 * @param limit maximum number of items, 1 to 100
 * @param after the {@link Page#next()} of the page before, null for the first
 */
public record PageRequest(int limit, @Nullable String after) {
  public PageRequest {
    if (limit < 1 || limit > 100) {
      throw new IllegalArgumentException("limit is 1 to 100, not " + limit);
    }
  }
}
