package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** EventBridge's {@code PutEvents}, in the protocol of the SDKs (AWS JSON 1.1). */
final class EventBridgeFront extends AwsJsonFront {
  private static final Logger LOG = LoggerFactory.getLogger(EventBridgeFront.class);

  /** Entries of one call, as on AWS. */
  private static final int MOST_ENTRIES = 10;

  private final EventBus bus;

  EventBridgeFront(EventBus bus) {
    super("AWSEvents", "1.1");
    this.bus = bus;
  }

  @Override
  ObjectNode call(String operation, JsonNode request) throws Refused {
    if (!operation.equals("PutEvents")) {
      throw unknown("EventBridge", "PutEvents");
    }
    return putEvents(request);
  }

  private ObjectNode putEvents(JsonNode request) throws Refused {
    JsonNode entries = request.path("Entries");
    if (!entries.isArray() || entries.isEmpty() || entries.size() > MOST_ENTRIES) {
      throw new Refused(
          "ValidationException", "Entries must hold 1 to " + MOST_ENTRIES + " entries.");
    }
    ArrayNode results = Json.object().arrayNode();
    int failed = 0;
    for (JsonNode entry : entries) {
      ObjectNode result = put(entry);
      failed += result.has("ErrorCode") ? 1 : 0;
      results.add(result);
    }
    ObjectNode answer = Json.object().put("FailedEntryCount", failed);
    answer.set("Entries", results);
    return answer;
  }

  private ObjectNode put(JsonNode entry) {
    String named = entry.path("EventBusName").asText("default");
    String source = entry.path("Source").asText("");
    String type = entry.path("DetailType").asText("");
    if (source.isEmpty() || type.isEmpty()) {
      return error("InvalidArgument", "Parameter Source and DetailType are required.");
    }
    if (!named.substring(named.lastIndexOf('/') + 1).equals(bus.name())) {
      // As on AWS, where an event for a bus that is not there is accepted and matches nothing.
      return Json.object().put("EventId", UUID.randomUUID().toString());
    }
    try {
      JsonNode detail =
          parse(
              entry.path("Detail").asText("").getBytes(StandardCharsets.UTF_8),
              "MalformedDetail",
              "Detail is malformed.");
      if (!detail.isObject()) {
        return error("MalformedDetail", "Detail is malformed.");
      }
      return Json.object().put("EventId", bus.put(source, type, detail));
    } catch (Refused e) {
      return error(e.code(), e.reason());
    } catch (RuntimeException e) {
      LOG.warn("An event could not be delivered", e);
      return error("InternalFailure", "The event could not be delivered.");
    }
  }

  private static ObjectNode error(String code, String message) {
    return Json.object().put("ErrorCode", code).put("ErrorMessage", message);
  }
}
