package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Refused;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;

/** EventBridge's {@code PutEvents}, in the protocol of the SDKs (AWS JSON 1.1). */
final class EventBridgeFront extends AwsJsonFront {
  /** Maximum number of entries in a call, as on AWS. */
  private static final int MOST_ENTRIES = 10;

  private final EventBus bus;

  EventBridgeFront(EventBus bus) {
    super("AWSEvents", "1.1");
    this.bus = bus;
  }

  @Override
  protected ObjectNode call(String operation, JsonNode request) throws Refused {
    if (!operation.equals("PutEvents")) {
      throw unknown("EventBridge", "PutEvents");
    }
    JsonNode given = request.path("Entries");
    if (!given.isArray() || given.isEmpty() || given.size() > MOST_ENTRIES) {
      throw new Refused(
          "ValidationException", "Entries must hold 1 to " + MOST_ENTRIES + " entries.");
    }
    List<PutEventsRequestEntry> entries = new ArrayList<>();
    given.forEach(one -> entries.add(entry(one)));
    return answer(bus.putEvents(put -> put.entries(entries)));
  }

  private static PutEventsRequestEntry entry(JsonNode given) {
    return PutEventsRequestEntry.builder()
        .eventBusName(given.path("EventBusName").textValue())
        .source(given.path("Source").textValue())
        .detailType(given.path("DetailType").textValue())
        .detail(given.path("Detail").textValue())
        .build();
  }

  private static ObjectNode answer(PutEventsResponse response) {
    ObjectNode answer = Json.object().put("FailedEntryCount", response.failedEntryCount());
    ArrayNode results = answer.putArray("Entries");
    for (PutEventsResultEntry result : response.entries()) {
      ObjectNode one = results.addObject();
      if (result.errorCode() == null) {
        one.put("EventId", result.eventId());
      } else {
        one.put("ErrorCode", result.errorCode()).put("ErrorMessage", result.errorMessage());
      }
    }
    return answer;
  }
}
