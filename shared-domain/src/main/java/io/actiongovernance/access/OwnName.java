package io.actiongovernance.access;

import io.actiongovernance.outcome.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What a request may say of who decides (contract for people, section 3): a key, anybody; a person
 * who is signed in, themselves alone.
 */
public final class OwnName {
  private OwnName() {}

  /**
   * Requires that a person says no other name than their own.
   *
   * @param param the field that says it
   * @param said null where it says nothing
   * @throws Problem if it is another's
   */
  public static void require(Caller caller, String param, @Nullable String said) {
    if (said != null && caller.person().isPresent() && !said.equals(caller.name())) {
      throw Problem.invalid(param, "A person decides under their own name alone.");
    }
  }
}
