package io.actiongovernance.functions.api;

import java.time.LocalDate;

/**
 * The announced end of a contract element. The element carries it, and every call that touches the
 * element reports it (specification, Versioning 5).
 *
 * @param announcement the changelog entry that announces it and names the replacement
 * @param sunset the day before which it is not removed
 */
public record Deprecation(Change announcement, LocalDate sunset) {
  private static final int MONTHS_OF_NOTICE = 12;

  public Deprecation {
    if (sunset.isBefore(announcement.date().plusMonths(MONTHS_OF_NOTICE))) {
      throw new IllegalArgumentException(announcement + " leaves too little time until " + sunset);
    }
  }
}
