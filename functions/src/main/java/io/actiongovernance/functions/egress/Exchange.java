package io.actiongovernance.functions.egress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.LenientJson;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The outcome of one request to a source system, a webhook endpoint, or a model. */
public sealed interface Exchange {
  /**
   * The complete response.
   *
   * @param headers by name in lower case; if several have one name, the first
   * @param body its text, decoded from any charset, up to the limit
   * @param tooLong whether the body is longer than the limit
   * @param whole the bytes as received but decompressed, up to their limit, if they are wanted
   *     ({@link Outbound#whole}); otherwise null
   */
  record Answered(
      int status,
      Map<String, String> headers,
      String body,
      boolean tooLong,
      @Nullable WholeBody whole)
      implements Exchange {
    /** Media types of forms. GitHub and others send the first; some servers declare only text. */
    private static final Pattern FORMS =
        Pattern.compile(
            "\\s*(application/x-www-form-urlencoded|text/plain)\\s*(;|$)",
            Pattern.CASE_INSENSITIVE);

    private static final int MOST_FIELDS = 100;

    public Answered {
      headers = Map.copyOf(headers);
    }

    public @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    public boolean hasStatusOfSuccess() {
      return status >= 200 && status < 300;
    }

    /**
     * The body as JSON, parsed leniently. A body that is not JSON becomes a string; an absent or
     * incomplete one becomes JSON null.
     */
    public JsonNode json() {
      if (tooLong || body.isBlank()) {
        return NullNode.getInstance();
      }
      return LenientJson.read(body).orElseGet(() -> TextNode.valueOf(body));
    }

    /**
     * The members of a JSON or form body, because some authorization servers always respond with a
     * form. Any other body is read as by {@link #json}.
     */
    public JsonNode members() {
      JsonNode json = json();
      String type = header("Content-Type");
      return json.isTextual() && type != null && FORMS.matcher(type).lookingAt()
          ? form(body)
          : json;
    }

    private static JsonNode form(String body) {
      ObjectNode members = Json.object();
      try {
        for (String field : body.strip().split("&", MOST_FIELDS)) {
          int equals = field.indexOf('=');
          if (equals > 0) {
            members.put(
                URLDecoder.decode(field.substring(0, equals), StandardCharsets.UTF_8),
                URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
          }
        }
        return members;
      } catch (IllegalArgumentException e) {
        return TextNode.valueOf(body); // broken escape: not a form
      }
    }

    /** The wait before another request, if the response states one. */
    public Optional<Duration> retryAfter(Instant now) {
      String retryAfter = header("Retry-After");
      return retryAfter == null ? Optional.empty() : RetryAfter.read(retryAfter, now);
    }
  }

  /** No part of the request left the service, so the source system certainly did not act. */
  record NotSent(String why) implements Exchange {}

  /** The request will never be sent, because its address is forbidden. */
  record Forbidden(String why) implements Exchange {}

  /**
   * The service itself withheld the request, or could not establish in time whether it may be sent.
   */
  record Withheld(String why) implements Exchange {}

  /**
   * The request was sent, at least in part, and no complete response arrived.
   *
   * @param begun the response without its body, if its status and headers arrived; otherwise null
   */
  record Lost(String why, @Nullable Answered begun) implements Exchange {}
}
