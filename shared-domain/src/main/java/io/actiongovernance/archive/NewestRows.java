package io.actiongovernance.archive;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the rows of a list in its order, each as it was written last, and no more than are asked
 * for. Not thread-safe.
 */
final class NewestRows {
  private final Query query;
  private final TreeMap<String, Version> versions;

  private record Version(LocalDate written, String text) {}

  NewestRows(Query query) {
    this.query = query;
    this.versions = new TreeMap<>(order(query));
  }

  /** That of the range keys of a query. */
  static Comparator<String> order(Query query) {
    return query.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
  }

  /** The objects in the order in which they are to be read, those first that may have the first. */
  List<Manifest.Part> ordered(List<Manifest.Part> parts) {
    Comparator<String> order = order(query);
    return parts.stream()
        .filter(part -> part.overlaps(query.from(), query.below()))
        .sorted(Comparator.comparing(this::begins, Comparator.nullsFirst(order)))
        .toList();
  }

  private @Nullable String begins(Manifest.Part part) {
    return query.descending() ? part.last() : part.first();
  }

  /** Whether there are enough, all of which come before what an object may have. */
  boolean needsNoneOf(Manifest.Part part) {
    String begins = begins(part);
    return begins != null
        && versions.size() >= query.limit()
        && order(query).compare(versions.lastKey(), begins) < 0;
  }

  /** Adds a row that is in the list, unless it was written later as well. */
  void add(Manifest.Part part, String range, String text) {
    LocalDate written = ArchiveNames.written(part.name());
    versions.merge(
        range,
        new Version(written, text),
        (one, other) -> other.written().isBefore(one.written()) ? one : other);
    if (versions.size() > query.limit()) {
      versions.pollLastEntry();
    }
  }

  List<Item> rows() {
    return versions.values().stream().map(Version::text).map(RowLine::item).toList();
  }
}
