package io.actiongovernance.infra.rollback;

import io.actiongovernance.store.StoredForm;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stored form that a function's build writes, and the restored tables that it uses, as the
 * description of its versions says them. Versions that differ in either do not understand each
 * other.
 */
public final class WrittenForm {
  private static final Pattern SAID = Pattern.compile("Writes (stored form [0-9]+(, .+)?)");

  private WrittenForm() {}

  /**
   * The description of a function, which each version of it keeps.
   *
   * @param generations of restored tables, as functions are told them; empty if there are none
   */
  public static String description(String generations) {
    return "Writes stored form "
        + StoredForm.WRITTEN
        + (generations.isEmpty() ? "" : ", " + generations);
  }

  /** What a description says: {@code stored form 6, state=2}; empty if it says nothing of it. */
  static Optional<String> of(String description) {
    Matcher said = SAID.matcher(description);
    return said.matches() ? Optional.of(said.group(1)) : Optional.empty();
  }
}
