package io.actiongovernance.functions.connector;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of one request to a source system, a webhook endpoint, or a model. */
public sealed interface Exchange {
  /**
   * The source system answered in full.
   *
   * @param retryAfter its {@code Retry-After}, or null
   * @param body as far as it is within the bound
   * @param tooLong whether there was more
   */
  record Answered(int status, @Nullable String retryAfter, String body, boolean tooLong)
      implements Exchange {
    /** How long to wait before another request, if it says so. */
    public Optional<Duration> retryAfter(Instant now) {
      if (retryAfter == null) {
        return Optional.empty();
      }
      if (retryAfter.matches("[0-9]{1,9}")) {
        return Optional.of(Duration.ofSeconds(Long.parseLong(retryAfter)));
      }
      try {
        Instant at =
            ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        return Optional.of(at.isBefore(now) ? Duration.ZERO : Duration.between(now, at));
      } catch (DateTimeParseException e) {
        return Optional.empty();
      }
    }
  }

  /** Nothing of the request left the service: the source system certainly did not act. */
  record NotSent(String why) implements Exchange {}

  /** The request will never be sent: its address is not to be reached. */
  record Forbidden(String why) implements Exchange {}

  /** The request was sent, at least in part, and no full answer came back. */
  record Lost(String why) implements Exchange {}
}
