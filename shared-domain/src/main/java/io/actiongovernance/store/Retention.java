package io.actiongovernance.store;

import java.time.Duration;
import java.time.Instant;

/**
 * How long what is kept for good stays in its table. After release 1.0 an archive takes it from
 * there; so each row that has come to its end says from release 1.0 on, in {@link
 * #ARCHIVE_EXPIRES}, when it may leave the table. Receipts say it when they are inserted, since
 * nobody may change one. A deployment that says so deletes by it.
 *
 * <p>A row whose content is final when it is written has it from the start: receipts, approvals,
 * exchanges with models, the rows that list a plan by its entities, votes; it is moved on while
 * their plan is open for very long. A plan gets it when it is disposed, an action when it is
 * disposed or closed. What is open or unknown has none: an action of which nobody knows what came
 * until it is resolved, one that is being undone until that has ended, and, since it never changes,
 * a receipt whose outcome is unknown. Effect claims and configuration never have it, nor has what
 * goes on being asked for: halts, and the vetoes that proposers are told of.
 *
 * <p>It is not {@link Table#EXPIRES}, by which time to live deletes from {@link Table#STATE} what
 * lives for days: deliveries, exports, requests to propose. A table has one attribute for time to
 * live; so these rows have both ({@link Item.Builder#expires}), and where there is an archive
 * {@link Table#STATE} may be turned over to this one, and {@link Table#RECEIPTS} begin with it. A
 * row that is put back out of the archive has another time than it was archived with.
 */
public final class Retention {
  /** The attribute with the second of the epoch after which a row in the archive may be deleted. */
  public static final String ARCHIVE_EXPIRES = "archive_expires";

  /**
   * How long a row stays after its end: 90 days in which it is read from the table, and 30 in which
   * table and archive can be compared.
   */
  public static final Duration IN_TABLE = Duration.ofDays(90 + 30);

  private Retention() {}

  /** The value of the attribute for a row that is final from this instant on. */
  public static long after(Instant end) {
    return end.plus(IN_TABLE).getEpochSecond();
  }
}
