package io.actiongovernance.store;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;

/**
 * The number of the form in which data are stored: of rows, messages, timers and sealed texts
 * (contract, section 10). It rises only with what the release before cannot read, and in two
 * releases: the first reads the new form ({@link #NEWEST}), the next one writes it ({@link
 * #WRITTEN}), so that whoever goes back by one release is understood. What that release reads well
 * enough, such as an attribute more, needs no other number.
 *
 * <p>Tables say their number in an item of their own, which comes with their first tenant.
 * Functions look at it when a version of them is published, and are not published over what they
 * cannot read; no request looks. A data folder says it in a file.
 */
public final class StoredForm {
  /** The oldest that this build reads. Builds wrote 1 to 5 before the first release. */
  public static final int OLDEST = 6;

  /** The newest that this build reads. */
  public static final int NEWEST = 6;

  /** The form that this build writes. */
  public static final int WRITTEN = 6;

  private static final String NUMBER = "number";

  /** Where tables say their number. */
  public static final Key KEY = Key.single(Table.STATE, "stored-form");

  private StoredForm() {}

  /** Thrown when data are stored in a form that this build does not read. */
  public static final class Unreadable extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message);
    }
  }

  /**
   * Why this build does not read the form, and what to do; empty if it reads it.
   *
   * @param where what holds the data
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
   * Looks whether this build reads what the tables hold.
   *
   * @throws Unreadable if it does not
   */
  public static void require(Store store) {
    number(store);
  }

  /**
   * Has the tables say that from now on they hold what this build writes. The number never falls.
   *
   * @throws Unreadable if they hold what this build does not read; nothing is written then
   */
  public static void mark(Store store) {
    while (number(store).filter(number -> number >= WRITTEN).isEmpty()) {
      // Whoever was faster is looked at again, and then there is nothing left to do.
      var unused =
          store.write(
              Write.update(
                  KEY,
                  Condition.or(Condition.absent(), Condition.less(NUMBER, WRITTEN)),
                  Change.set(NUMBER, WRITTEN)));
    }
  }

  /** None, if there is no tenant yet. */
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
