package io.actiongovernance.functions.egress;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of one request to a source system, a webhook endpoint, or a model. */
public sealed interface Exchange {
  /**
   * The source system answered in full.
   *
   * @param headers by their names in lower case; of several of one name, the first
   * @param body as far as it is within the bound
   * @param tooLong whether there was more
   * @param whole the body as it came, as far as that is wanted ({@link Outbound#whole}); else null
   */
  record Answered(
      int status,
      Map<String, String> headers,
      String body,
      boolean tooLong,
      @Nullable WholeBody whole)
      implements Exchange {
    public Answered {
      headers = Map.copyOf(headers);
    }

    public @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    public boolean hasStatusOfSuccess() {
      return status >= 200 && status < 300;
    }

    /** How long to wait before another request, if it says so. */
    public Optional<Duration> retryAfter(Instant now) {
      String retryAfter = header("Retry-After");
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

  /** The service itself kept the request back, or could not make sure in time that it may leave. */
  record Withheld(String why) implements Exchange {}

  /**
   * The request was sent, at least in part, and no full answer came back.
   *
   * @param begun the answer without its body, if as much as its status and headers came; else null
   */
  record Lost(String why, @Nullable Answered begun) implements Exchange {}
}
