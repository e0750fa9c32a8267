package io.actiongovernance.infra.rollback;

import io.actiongovernance.store.StoredForm;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stored form that a function's build writes, and the restored tables that it uses. Both are in
 * the description of the function's versions. Versions that differ in either cannot read each
 * other's data.
 */
public final class WrittenForm {
  private static final Pattern SAID = Pattern.compile("Writes (stored form [0-9]+(, .+)?)");

  private WrittenForm() {}

  /**
   * The description of a function, which each of its versions keeps.
   *
   * @param generations the generations of restored tables, in the form of the functions' setting;
   *     empty if there are none
   */
  public static String description(String generations) {
    return "Writes stored form "
        + StoredForm.WRITTEN
        + (generations.isEmpty() ? "" : ", " + generations);
  }

  /**
   * The form in a description, such as {@code stored form 6, state=2}; empty if the description
   * states none.
   */
  static Optional<String> of(String description) {
    Matcher said = SAID.matcher(description);
    return said.matches() ? Optional.of(said.group(1)) : Optional.empty();
  }
}
