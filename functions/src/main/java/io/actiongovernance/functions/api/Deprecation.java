package io.actiongovernance.functions.api;

import java.time.LocalDate;

/**
 * The announced removal of a contract element. The element carries it, and every call that touches
 * the element reports it (specification, Versioning 5).
 *
 * @param announcement the changelog entry that announces the removal and names the replacement
 * @param sunset the first day on which the element may be removed
 */
public record Deprecation(Change announcement, LocalDate sunset) {
  private static final int MONTHS_OF_NOTICE = 12;

  public Deprecation {
    if (sunset.isBefore(announcement.date().plusMonths(MONTHS_OF_NOTICE))) {
      throw new IllegalArgumentException(announcement + " leaves too little time until " + sunset);
    }
  }
}
