package io.actiongovernance.access;

import io.actiongovernance.outcome.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Rule for the name under which a request decides (contract for people, section 3): a key may give
 * any name, a signed-in person only their own.
 */
public final class OwnName {
  private OwnName() {}

  /**
   * Requires that a person gives only their own name.
   *
   * @param param the field that gives the name
   * @param said null if the request gives no name
   * @throws Problem if it is another person's name
   */
  public static void require(Caller caller, String param, @Nullable String said) {
    if (said != null && caller.person().isPresent() && !said.equals(caller.name())) {
      throw Problem.invalid(
          param, "You are signed in, so you decide under your own name. Leave this field out.");
    }
  }
}
