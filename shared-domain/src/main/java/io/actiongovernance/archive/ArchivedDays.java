package io.actiongovernance.archive;

import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Reads lists out of the archive, day by day, as the tables have them: the index of a day is asked
 * before its objects are, and one object at a time is in memory. Thread-safe.
 */
final class ArchivedDays {
  private final ArchivedRows archived;

  ArchivedDays(ArchivedRows archived) {
    this.archived = archived;
  }

  /**
   * As many rows of some days as a query asks for, in its order.
   *
   * @param days in that order too
   */
  List<Item> rows(Sought.ByIdentifier sought, Query query, List<LocalDate> days) {
    Predicate<Lines.Line> listed = listedBy(query);
    List<Item> rows = new ArrayList<>();
    for (LocalDate day : days) {
      if (rows.size() >= query.limit()) {
        break;
      }
      rows.addAll(rows(sought, query.limit(query.limit() - rows.size()), day, listed));
    }
    return rows;
  }

  /** The same of one day, of those rows alone that a predicate admits. */
  List<Item> rows(
      Sought.ByIdentifier sought, Query query, LocalDate day, Predicate<Lines.Line> admitted) {
    List<Manifest> written = archived.written(sought.partition(), sought.kind(), day);
    if (written.stream()
        .noneMatch(one -> archived.mayHold(one, sought.kind(), day, sought.listed()))) {
      return List.of();
    }
    NewestRows newest = new NewestRows(query);
    List<Manifest.Part> parts =
        written.stream()
            .flatMap(manifest -> manifest.parts().stream())
            .filter(part -> part.isOf(sought.kind(), day))
            .toList();
    for (Manifest.Part part : newest.ordered(parts)) {
      if (newest.needsNoneOf(part)) {
        break;
      }
      for (Lines.Line line : archived.read(part).all()) {
        if (query.holds(line.key().range()) && admitted.test(line)) {
          newest.add(part, line.key().range(), line.text());
        }
      }
    }
    return newest.rows();
  }

  /**
   * Whether a row is in the partition of a query. What a row that has ended is listed by never
   * changes any more, so that each of its versions is in the same.
   */
  static Predicate<Lines.Line> listedBy(Query query) {
    Index index = query.index();
    if (index == null) {
      return line -> line.key().partition().equals(query.partition());
    }
    // No text within the line reads like it, since quotation marks have a backslash there.
    String attribute = RowLine.attribute(index.hash(), query.partition());
    return line -> line.text().contains(attribute);
  }
}
