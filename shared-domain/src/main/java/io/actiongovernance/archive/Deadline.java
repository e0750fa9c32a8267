package io.actiongovernance.archive;

import java.time.Instant;
import java.time.InstantSource;

/**
 * By when a day must be done, so that one that is too large for a run fails in a sentence, and
 * before its process is ended. Thread-safe if its clock is.
 */
record Deadline(InstantSource clock, Instant at) {
  /** That of who has time. */
  static final Deadline NONE = new Deadline(() -> Instant.MIN, Instant.MAX);

  /**
   * Gives up once it has passed.
   *
   * @param rows as many as were looked at
   */
  void check(long rows) {
    if (!clock.instant().isBefore(at)) {
      throw new IllegalStateException(
          "The day is too large for one run: it had come to " + rows + " rows.");
    }
  }
}
