package io.actiongovernance.functions.route;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time for which a request may ask to wait for a result (contract for agents, section 2). */
public final class Waits {
  public static final String NAME = "wait";

  /** The longest wait, in seconds. */
  public static final int LONGEST = 25;

  /** The rule of the parameter, for routes that always wait. */
  public static final String RULE = "a whole number from 1 to 25";

  /** The published description of a request's wait for a disposal. */
  public static final String ONCE_DISPOSED =
      "Seconds to wait for it to be disposed, 1 to 25. The answer shows it as it"
          + " stands at the end of that time, or when too many requests wait.";

  private Waits() {}

  /**
   * @param said the request's value in seconds; null if none
   * @param otherwise the seconds to wait if the request has no value
   */
  public static Duration of(@Nullable Integer said, int otherwise) {
    return Duration.ofSeconds(said == null ? otherwise : said);
  }
}
