package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Identity;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

/** Makes the event that a function gets from records of a table's stream. */
final class ChangeEvents {
  private ChangeEvents() {}

  static byte[] of(List<Record> records, String streamArn) {
    return Json.write(tree(records, streamArn)).getBytes(StandardCharsets.UTF_8);
  }

  static ObjectNode tree(List<Record> records, String streamArn) {
    ObjectNode event = Json.object();
    ArrayNode rows = event.putArray("Records");
    for (Record change : records) {
      ObjectNode row = rows.addObject();
      row.put("eventID", change.eventID());
      row.put("eventName", change.eventNameAsString());
      row.put("eventVersion", change.eventVersion());
      row.put("eventSource", "aws:dynamodb");
      row.put("awsRegion", change.awsRegion());
      row.set("dynamodb", body(change.dynamodb()));
      row.put("eventSourceARN", streamArn);
      Identity remover = change.userIdentity();
      if (remover != null) {
        row.putObject("userIdentity")
            .put("principalId", remover.principalId())
            .put("type", remover.type());
      }
    }
    return event;
  }

  /** Returns only the change, without its origin. */
  static ObjectNode body(StreamRecord change) {
    ObjectNode body = Json.object();
    if (change.approximateCreationDateTime() != null) {
      body.put(
          "ApproximateCreationDateTime", change.approximateCreationDateTime().getEpochSecond());
    }
    body.set("Keys", item(change.keys()));
    if (change.hasNewImage()) {
      body.set("NewImage", item(change.newImage()));
    }
    if (change.hasOldImage()) {
      body.set("OldImage", item(change.oldImage()));
    }
    body.put("SequenceNumber", change.sequenceNumber());
    body.put("SizeBytes", change.sizeBytes());
    body.put("StreamViewType", change.streamViewTypeAsString());
    return body;
  }

  private static ObjectNode item(Map<String, AttributeValue> item) {
    ObjectNode json = Json.object();
    item.forEach((name, value) -> json.set(name, attribute(value)));
    return json;
  }

  private static ObjectNode attribute(AttributeValue value) {
    ObjectNode json = Json.object();
    switch (value.type()) {
      case S -> json.put("S", value.s());
      case N -> json.put("N", value.n());
      case B -> json.put("B", base64(value.b()));
      case SS -> value.ss().forEach(json.putArray("SS")::add);
      case NS -> value.ns().forEach(json.putArray("NS")::add);
      case BS -> value.bs().stream().map(ChangeEvents::base64).forEach(json.putArray("BS")::add);
      case M -> json.set("M", item(value.m()));
      case L -> value.l().stream().map(ChangeEvents::attribute).forEach(json.putArray("L")::add);
      case BOOL -> json.put("BOOL", value.bool());
      case NUL -> json.put("NULL", value.nul());
      case UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalArgumentException("An attribute of an unknown type: " + value);
    }
    return json;
  }

  private static String base64(SdkBytes bytes) {
    return Base64.getEncoder().encodeToString(bytes.asByteArrayUnsafe());
  }
}
