package io.actiongovernance.functions.connector;

import org.jspecify.annotations.Nullable;

/** What became of one request to a source system. */
sealed interface Exchange {
  /**
   * The source system answered in full.
   *
   * @param retryAfter its {@code Retry-After}, or null
   * @param body as far as it is within the bound
   * @param tooLong whether there was more
   */
  record Answered(int status, @Nullable String retryAfter, String body, boolean tooLong)
      implements Exchange {}

  /** Nothing of the request left the service: the source system certainly did not act. */
  record NotSent(String why) implements Exchange {}

  /** The request will never be sent: its address is not to be reached. */
  record Forbidden(String why) implements Exchange {}

  /** The request was sent, at least in part, and no full answer came back. */
  record Lost(String why) implements Exchange {}
}
