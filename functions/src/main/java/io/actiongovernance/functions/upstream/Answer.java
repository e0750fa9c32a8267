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

/**
 * Reads what a source system answered: its JSON, its own word on success, when it wants to be asked
 * again.
 */
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

  /** One whose body was lost. */
  static Answer withoutBody(Exchange.Answered begun, Tool.@Nullable Success success) {
    return new Answer(begun, success, NullNode.getInstance());
  }

  int status() {
    return answered.status();
  }

  /** The answer; JSON null when there is none, a string when it is no JSON. */
  JsonNode json() {
    return json;
  }

  /**
   * The whole of it, as it came, without credentials; null where nobody wants it, or it is lost.
   */
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

  /**
   * Whether its body confirms a status of success; empty when its body says nothing of the kind.
   */
  Optional<Boolean> confirmed() {
    if (success == null) {
      return Optional.of(true);
    }
    JsonNode said = json.at(success.path());
    return said.isMissingNode()
        ? Optional.empty()
        : Optional.of(CanonicalJson.of(said).equals(CanonicalJson.of(success.expected())));
  }

  /** Whether its body names an error that means rejected credentials. */
  boolean namesRejectedCredentials() {
    return success != null
        && success.error() != null
        && success.rejected().contains(json.at(success.error()).asText());
  }

  /** How long to wait before another request, if it says so. */
  Optional<Duration> retryAfter(Instant now) {
    return answered.retryAfter(now);
  }

  /** {@code upstream answered 503: …}. */
  String describe(Redaction redaction) {
    String excerpt = redaction.excerpt(answered.body());
    return "upstream answered " + status() + (excerpt.isEmpty() ? "" : ": " + excerpt);
  }
}
