package io.actiongovernance.page;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, newest first unless the list says otherwise.
 *
 * @param next where the next page begins; only the list itself can interpret it. Null if there are
 *     no more pages
 */
public record Page<T>(List<T> items, @Nullable String next) {
  /**
   * Returns one page of a list that is short enough to be read whole.
   *
   * @param newestFirst all items, by descending key
   */
  public static <T> Page<T> of(List<T> newestFirst, Function<T, String> key, PageRequest page) {
    String after = page.after();
    List<T> left =
        newestFirst.stream()
            .filter(one -> after == null || key.apply(one).compareTo(after) < 0)
            .toList();
    boolean more = left.size() > page.limit();
    List<T> shown = more ? left.subList(0, page.limit()) : left;
    return new Page<>(shown, more ? key.apply(shown.getLast()) : null);
  }

  public Page {
    items = List.copyOf(items);
  }

  public <R> Page<R> map(Function<T, R> mapper) {
    return new Page<>(items.stream().map(mapper).toList(), next);
  }
}
