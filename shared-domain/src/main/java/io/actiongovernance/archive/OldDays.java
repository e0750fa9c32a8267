package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Slice;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which days the archive is asked for: those of whose rows one may have left its table, since the
 * tenant was made. Thread-safe.
 */
final class OldDays {
  private final InstantSource clock;

  OldDays(InstantSource clock) {
    this.clock = clock;
  }

  /** Identifiers of one kind. */
  record Group(Partition partition, RowKind kind) {}

  /** Where the rows of keys are that are old enough. */
  Map<Group, Set<String>> places(Collection<Key> keys) {
    Map<Group, Set<String>> places = new LinkedHashMap<>();
    for (Key key : keys) {
      Sought.Place.of(key)
          .filter(place -> isOld(place.partition(), place.id()))
          .ifPresent(
              place ->
                  places
                      .computeIfAbsent(
                          new Group(place.partition(), place.kind()), _ -> new TreeSet<>())
                      .add(place.id()));
    }
    return places;
  }

  /** Whether the row of an identifier may have left its table. */
  boolean isOld(Partition partition, String id) {
    LocalDate day = RowKind.dayOf(id);
    return !day.isBefore(first(partition)) && !day.isAfter(last());
  }

  private static LocalDate first(Partition partition) {
    return day(partition.tenant().madeAt());
  }

  /** The last day of whose rows one may have left: those made then stay for so long. */
  private LocalDate last() {
    return day(clock.instant().minus(Retention.IN_TABLE));
  }

  private static LocalDate day(Instant instant) {
    return LocalDate.ofInstant(instant, ZoneOffset.UTC);
  }

  /** What of the archive a query is to be asked of, that found this much in the table. */
  Stretch stretch(Sought sought, Query query, Slice inTable) {
    return switch (sought) {
      case Sought.InDays list -> inDays(list, query, inTable);
      case Sought.OfPlan of -> whole(of.partition(), of.plan().value(), query, inTable);
      case Sought.Undos of -> whole(of.partition(), of.plan().value(), query, inTable);
    };
  }

  private Stretch whole(Partition partition, String id, Query query, Slice inTable) {
    return isOld(partition, id)
        ? new Stretch(List.of(RowKind.dayOf(id)), inTable.end(query), null)
        : Stretch.NONE;
  }

  private Stretch inDays(Sought.InDays list, Query query, Slice inTable) {
    boolean descending = query.descending();
    String end = inTable.end(query);
    LocalDate first = first(list.partition());
    LocalDate last = last();
    first = later(first, query.from() == null ? null : list.dayOf(query.from()));
    last = earlier(last, query.below() == null ? null : before(list, query.below()));
    if (end != null && descending) {
      first = later(first, list.dayOf(end));
    } else if (end != null) {
      last = earlier(last, list.dayOf(end));
    }
    if (first.isAfter(last)) {
      return Stretch.NONE;
    }
    LocalDate month = descending ? last.withDayOfMonth(1) : first.withDayOfMonth(1).plusMonths(1);
    boolean goesOn = descending ? first.isBefore(month) : last.isAfter(month.minusDays(1));
    if (!goesOn) {
      return new Stretch(days(first, last, descending), end, null);
    }
    String upTo = list.first(month);
    return descending
        ? new Stretch(days(month, last, true), upTo, upTo)
        : new Stretch(days(first, month.minusDays(1), false), upTo, upTo);
  }

  /** The last day of which there are range keys below a bound. */
  private static LocalDate before(Sought.InDays list, String below) {
    LocalDate day = list.dayOf(below);
    return below.compareTo(list.first(day)) > 0 ? day : day.minusDays(1);
  }

  private static LocalDate later(LocalDate one, @Nullable LocalDate other) {
    return other != null && other.isAfter(one) ? other : one;
  }

  private static LocalDate earlier(LocalDate one, @Nullable LocalDate other) {
    return other != null && other.isBefore(one) ? other : one;
  }

  private static List<LocalDate> days(LocalDate first, LocalDate last, boolean descending) {
    List<LocalDate> days = first.datesUntil(last.plusDays(1)).toList();
    return descending ? days.reversed() : days;
  }
}
