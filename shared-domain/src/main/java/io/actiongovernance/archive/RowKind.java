package io.actiongovernance.archive;

import io.actiongovernance.id.Ids;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * What is archived, each under the day of its own identifier. What a plan has beside its row, its
 * exchange with a model, its entities and its votes, goes with it.
 */
public enum RowKind {
  RECEIPT,
  PLAN,
  ACTION,
  APPROVAL;

  /** As names of objects have it: {@code receipt}. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The day, in UTC, that an identifier says: {@code rc_…}. */
  static LocalDate dayOf(String id) {
    return LocalDate.ofInstant(madeAt(id), ZoneOffset.UTC);
  }

  /** The instant that an identifier says. */
  static Instant madeAt(String id) {
    return Ids.timeOf(id.substring(id.indexOf('_') + 1));
  }
}
