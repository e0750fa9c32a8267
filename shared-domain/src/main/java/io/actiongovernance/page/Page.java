package io.actiongovernance.page;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, newest first unless the list says otherwise.
 *
 * @param next where the next page begins, opaque to all but the list itself; null when there are no
 *     more pages
 */
public record Page<T>(List<T> items, @Nullable String next) {
  public Page {
    items = List.copyOf(items);
  }

  public <R> Page<R> map(Function<T, R> mapper) {
    return new Page<>(items.stream().map(mapper).toList(), next);
  }
}
