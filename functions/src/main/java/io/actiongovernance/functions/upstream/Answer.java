package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Redaction;
import io.actiongovernance.functions.egress.WholeBody;
import io.actiongovernance.json.CanonicalJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a source system's answer: its JSON, its own statement of success, and when to retry. */
final class Answer {
  private final Exchange.Answered answered;
  private final Tool.@Nullable Success success;
  private final JsonNode json;

  Answer(Exchange.Answered answered, Tool.@Nullable Success success) {
    this(answered, success, answered.json());
  }

  private Answer(Exchange.Answered answered, Tool.@Nullable Success success, JsonNode json) {
    this.answered = answered;
    this.success = success;
    this.json = json;
  }

  /** An answer whose body was lost. */
  static Answer withoutBody(Exchange.Answered begun, Tool.@Nullable Success success) {
    return new Answer(begun, success, NullNode.getInstance());
  }

  int status() {
    return answered.status();
  }

  /** The answer's JSON; JSON null if there is none, a string if it is not JSON. */
  JsonNode json() {
    return json;
  }

  /** The whole answer as received, without credentials; null if it is not wanted, or was lost. */
  @Nullable WholeAnswer whole(Redaction redaction) {
    WholeBody whole = answered.whole();
    return whole == null
        ? null
        : new WholeAnswer(contentType(redaction), redaction.bytes(whole.bytes()), whole.cut());
  }

  private @Nullable String contentType(Redaction redaction) {
    String said = answered.header("Content-Type");
    return said == null || said.isBlank() ? null : redaction.excerpt(said);
  }

  boolean hasStatusOfSuccess() {
    return answered.hasStatusOfSuccess();
  }

  /** Returns whether the body confirms a status of success; empty if the body does not say. */
  Optional<Boolean> confirmed() {
    if (success == null) {
      return Optional.of(true);
    }
    JsonNode said = json.at(success.path());
    return said.isMissingNode()
        ? Optional.empty()
        : Optional.of(CanonicalJson.of(said).equals(CanonicalJson.of(success.expected())));
  }

  /** Returns whether the body names an error that means rejected credentials. */
  boolean namesRejectedCredentials() {
    return success != null
        && success.error() != null
        && success.rejected().contains(json.at(success.error()).asText());
  }

  /** The wait before another request, if the answer states one. */
  Optional<Duration> retryAfter(Instant now) {
    return answered.retryAfter(now);
  }

  /** Describes the answer as {@code upstream answered 503: …}. */
  String describe(Redaction redaction) {
    String excerpt = redaction.excerpt(answered.body());
    return "upstream answered " + status() + (excerpt.isEmpty() ? "" : ": " + excerpt);
  }
}
