package io.actiongovernance.time;

import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Something to be looked at later. When it is due, the function of its kind gets its identifiers,
 * and answers whether that was all or until when to wait again.
 *
 * @param name tells it from all others of its kind, for good: letters, digits, {@code -} and {@code
 *     _}, at most 80
 * @param ids what the function is told; never arguments, payloads or secrets
 */
public record Timer(TimerKind kind, String name, Instant due, Map<String, String> ids) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}");

  /** The input's field for the time to wait until, which is no identifier. */
  public static final String WAIT_UNTIL = "wait_until";

  public Timer {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("No name of a timer: " + name);
    }
    if (ids.containsKey(WAIT_UNTIL)) {
      throw new IllegalArgumentException("An identifier cannot be called " + WAIT_UNTIL + ".");
    }
    ids = Map.copyOf(ids);
  }
}
