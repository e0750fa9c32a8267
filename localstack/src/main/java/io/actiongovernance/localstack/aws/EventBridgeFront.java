package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** EventBridge's {@code PutEvents}, in the protocol of the SDKs (AWS JSON 1.1). */
final class EventBridgeFront extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(EventBridgeFront.class);

  /** Bytes of one call, as on AWS. */
  private static final int LARGEST = 1024 * 1024;

  /** Entries of one call, as on AWS. */
  private static final int MOST_ENTRIES = 10;

  private final EventBus bus;

  EventBridgeFront(EventBus bus) {
    this.bus = bus;
  }

  /** What AWS answers with 400, by its code there. */
  private static final class Refused extends Exception {
    private final String code;
    private final String reason;

    Refused(String code, String reason) {
      super(reason);
      this.code = code;
      this.reason = reason;
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    ObjectNode answer;
    try {
      if (!"AWSEvents.PutEvents".equals(request.getHeaders().get("X-Amz-Target"))) {
        throw new Refused("UnknownOperationException", "Of EventBridge, this stack has PutEvents.");
      }
      answer = putEvents(body(request));
    } catch (Refused e) {
      response.setStatus(400);
      answer = Json.object().put("__type", e.code).put("message", e.reason);
    }
    response.getHeaders().put("Content-Type", "application/x-amz-json-1.1");
    response.getHeaders().put("x-amzn-RequestId", UUID.randomUUID().toString());
    response.write(
        true, ByteBuffer.wrap(Json.write(answer).getBytes(StandardCharsets.UTF_8)), callback);
    return true;
  }

  private static JsonNode body(Request request) throws Exception {
    byte[] body = Content.Source.asInputStream(request).readNBytes(LARGEST + 1);
    if (body.length > LARGEST) {
      throw new Refused("ValidationException", "Total size of the entries is over the limit.");
    }
    return parse(body, "SerializationException", "The request is not valid JSON.");
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
      return error(e.code, e.reason);
    } catch (RuntimeException e) {
      LOG.warn("An event could not be delivered", e);
      return error("InternalFailure", "The event could not be delivered.");
    }
  }

  private static ObjectNode error(String code, String message) {
    return Json.object().put("ErrorCode", code).put("ErrorMessage", message);
  }

  private static JsonNode parse(byte[] json, String code, String message) throws Refused {
    try {
      return Json.parse(json);
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      throw new Refused(code, message);
    }
  }
}
