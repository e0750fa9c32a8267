package io.actiongovernance.functions.api;

import java.time.LocalDate;

/**
 * The end that is announced for an element of the contract; the element carries it, and every call
 * that touches the element is told (specification, Versioning 5).
 *
 * @param announcement the entry of the changelog that says so, and what to do instead
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
