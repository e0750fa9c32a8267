package io.actiongovernance.archive;

import java.time.LocalDate;
import java.util.Locale;
import java.util.stream.Stream;

/** When table and archive are compared: each day twice. */
public enum AuditAge {
  /** Once what was written late has had a week to get in. */
  FIRST(9),
  /** Before the first of the day's rows may leave its table. */
  LAST(95);

  /** For how long a day is compared again that did not agree, or could not be compared. */
  private static final int DAYS = 14;

  private final int days;

  AuditAge(int days) {
    this.days = days;
  }

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The days from that one on that are too old to be compared by themselves any more. */
  Stream<LocalDate> before(LocalDate today, LocalDate since) {
    LocalDate oldest = today.minusDays(days + (long) DAYS);
    return since.isBefore(oldest) ? since.datesUntil(oldest) : Stream.empty();
  }

  /** The days that are to be compared today, the oldest first. */
  Stream<LocalDate> days(LocalDate today) {
    LocalDate newest = today.minusDays(days);
    return newest.minusDays(DAYS).datesUntil(newest.plusDays(1));
  }
}
