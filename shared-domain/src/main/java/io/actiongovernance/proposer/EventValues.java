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
 * What placeholders stand for where there is an event: {@code payload} and what is below it, {@code
 * event_id}, {@code event_type}, {@code source}, {@code correlation_id} (contract, section 4).
 * Without one, they name nothing.
 *
 * <p>One instance serves one proposal and gives out no more than a plan may hold, or a small script
 * that names a great payload thousands of times would grow beyond all memory. Not thread-safe.
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
   * What the name stands for; a missing node for nothing.
   *
   * @throws Problem once all that was given out is more than a plan may hold
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
              "The placeholders stand for more than the "
                  + ProposalRules.MOST_BYTES
                  + " bytes a plan may have."));
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
