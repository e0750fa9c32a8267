package io.actiongovernance.functions.route;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a request asks to wait for what comes of something (contract for agents, section 2). */
public final class Waits {
  /** The parameter. */
  public static final String NAME = "wait";

  /** Seconds. */
  public static final int LONGEST = 25;

  /** What it must be where only a wait makes sense. */
  public static final String RULE = "a whole number from 1 to 25";

  /** What is said of waiting for a disposal. */
  public static final String ONCE_DISPOSED =
      "Seconds to wait for it to be disposed, 1 to 25. The answer shows it as it"
          + " stands at the end of that time, or when too many requests wait.";

  private Waits() {}

  /**
   * @param said as the request has it, or null
   */
  public static Duration of(@Nullable Integer said, int otherwise) {
    return Duration.ofSeconds(said == null ? otherwise : said);
  }
}
