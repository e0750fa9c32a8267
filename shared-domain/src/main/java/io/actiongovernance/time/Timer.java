package io.actiongovernance.time;

import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A later check. When it is due, the function of its kind receives its identifiers. The function
 * returns that the timer is done, or the time until which to wait again.
 *
 * @param name unique within its kind, permanently: letters, digits, {@code -} and {@code _}, at
 *     most 80
 * @param ids identifiers for the function; never arguments, payloads or secrets
 */
public record Timer(TimerKind kind, String name, Instant due, Map<String, String> ids) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}");

  /** The input's field with the time until which to wait. It is not an identifier. */
  public static final String WAIT_UNTIL = "wait_until";

  public Timer {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("Not the name of a timer: " + name);
    }
    if (ids.containsKey(WAIT_UNTIL)) {
      throw new IllegalArgumentException("An identifier cannot be called " + WAIT_UNTIL + ".");
    }
    ids = Map.copyOf(ids);
  }
}
