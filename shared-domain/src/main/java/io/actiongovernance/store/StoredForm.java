package io.actiongovernance.store;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;

/**
 * Version number of the stored form of data: rows, messages, timers and sealed texts (contract,
 * section 10). It rises only for a form that the release before cannot read, and over two releases.
 * The first release reads the new form ({@link #NEWEST}), the next one writes it ({@link
 * #WRITTEN}). After a rollback by one release, the data can therefore still be read. Changes that
 * the earlier release reads well enough, such as an additional attribute, need no new number.
 *
 * <p>Tables state their number in an item of its own, created with their first tenant. Functions
 * check it when a version of them is published, and are not published over data that they cannot
 * read. No request checks it. A data folder states it in a file.
 */
public final class StoredForm {
  /** The oldest form that this build reads. Builds before the first release wrote 1 to 5. */
  public static final int OLDEST = 6;

  public static final int NEWEST = 6;

  public static final int WRITTEN = 6;

  private static final String NUMBER = "number";

  /** Key of the item in which tables state their number. */
  public static final Key KEY = Key.single(Table.STATE, "stored-form");

  private StoredForm() {}

  /** Thrown if data is stored in a form that this build does not read. */
  public static final class Unreadable extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message);
    }
  }

  /**
   * Returns why this build does not read the form, and what to do; empty if it does read it.
   *
   * @param where the place that holds the data
   */
  public static Optional<String> problem(String where, long number) {
    if (number >= OLDEST && number <= NEWEST) {
      return Optional.empty();
    }
    return Optional.of(
        "%s holds data in form %s, written by %s build. This build reads %s. Use a build that reads form %s, or start without these data."
            .formatted(
                where,
                number,
                number < OLDEST ? "an earlier" : "a newer",
                OLDEST == NEWEST ? "form " + OLDEST : "forms %s to %s".formatted(OLDEST, NEWEST),
                number));
  }

  /**
   * Requires that this build reads the form of the tables' data.
   *
   * @throws Unreadable if it does not
   */
  public static void require(Store store) {
    number(store);
  }

  /**
   * Records in the tables that they hold the form that this build writes from now on. The number
   * never falls.
   *
   * @throws Unreadable if they hold a form that this build does not read; nothing is written then
   */
  public static void mark(Store store) {
    while (number(store).filter(number -> number >= WRITTEN).isEmpty()) {
      // If another writer was faster, the next check finds nothing left to do.
      var unused =
          store.write(
              Write.update(
                  KEY,
                  Condition.or(Condition.absent(), Condition.less(NUMBER, WRITTEN)),
                  Change.set(NUMBER, WRITTEN)));
    }
  }

  /** Returns the number of the form; empty if there is no tenant yet. */
  private static Optional<Long> number(Store store) {
    Optional<Long> number =
        store.get(KEY).map(item -> item.number(NUMBER)).map(BigDecimal::longValueExact);
    number
        .flatMap(one -> problem("The table " + KEY.table().name().toLowerCase(Locale.ROOT), one))
        .ifPresent(
            problem -> {
              throw new Unreadable(problem);
            });
    return number;
  }
}
