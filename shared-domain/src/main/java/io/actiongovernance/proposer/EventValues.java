package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.event.Event;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Template;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values of placeholders for an event: {@code payload} and its members, {@code event_id}, {@code
 * event_type}, {@code source}, {@code correlation_id} (contract, section 4). Without an event,
 * placeholders have no value.
 *
 * <p>One instance serves one proposal and returns no more than a plan may hold. Otherwise a small
 * script that names a large payload thousands of times would exhaust memory. Not thread-safe.
 */
final class EventValues implements Function<String, JsonNode> {
  private static final String PAYLOAD = "payload";

  private final @Nullable Event event;
  private final Map<String, Integer> sizes = new HashMap<>();
  private long given;

  EventValues(@Nullable Event event) {
    this.event = event;
  }

  /**
   * Returns the value of the name; a missing node if it has none.
   *
   * @throws Problem if the sum of all returned values exceeds what a plan may hold
   */
  @Override
  public JsonNode apply(String name) {
    JsonNode value = event == null ? MissingNode.getInstance() : value(event, name);
    if (!value.isMissingNode()) {
      given += sizes.computeIfAbsent(name, _ -> Json.write(value).length());
    }
    if (given > ProposalRules.MOST_BYTES) {
      throw new Problem(
          new Refusal.TooLarge(
              "The values of the placeholders take more than the "
                  + ProposalRules.MOST_BYTES
                  + " bytes that a plan may have."));
    }
    return value;
  }

  private static JsonNode value(Event event, String name) {
    if (name.startsWith(PAYLOAD + ".")) {
      return Template.at(event.payload(), name.substring(PAYLOAD.length() + 1));
    }
    return switch (name) {
      case PAYLOAD -> event.payload();
      case "event_id" -> TextNode.valueOf(event.id().value());
      case "event_type" -> TextNode.valueOf(event.eventType());
      case "source" -> TextNode.valueOf(event.source());
      case "correlation_id" -> TextNode.valueOf(event.correlationId().value());
      default -> MissingNode.getInstance();
    };
  }
}
