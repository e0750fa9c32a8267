package io.actiongovernance.functions.priming;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An invocation of a function that the build recorded: its event, AWS's responses in order, and
 * everything else that determines the function's requests. These are the settings, the clock's
 * times and the seed of the identifiers. The recorded tenant exists nowhere, so its secrets give
 * access to nothing.
 *
 * @param form JSON, as the build writes it
 */
public record Recording(JsonNode form) {
  /** The resource folder of the recordings, with one file for each function. */
  public static final String FOLDER = "/priming/";

  /** The time by which the clock advances at each reading after the recorded ones. */
  private static final int STEP_SECONDS = 60;

  private static final int DONE = 200;
  private static final int FAILED = 500;

  static List<Recording> of(String function) {
    try (InputStream file = Recording.class.getResourceAsStream(FOLDER + function + ".json")) {
      if (file == null) {
        throw new IllegalStateException("The build has no recording of " + function + ".");
      }
      List<Recording> recordings = new ArrayList<>();
      Json.read(new String(file.readAllBytes(), StandardCharsets.UTF_8))
          .forEach(one -> recordings.add(new Recording(one)));
      return recordings;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static ObjectNode request(APIGatewayProxyRequestEvent request) {
    ObjectNode form = Json.object();
    form.putObject("request")
        .put("method", request.getHttpMethod())
        .put("resource", request.getResource())
        .put("path", request.getPath())
        .put("body", request.getBody())
        .<ObjectNode>set("query", tree(request.getQueryStringParameters()))
        .set("headers", tree(request.getHeaders()));
    return form;
  }

  private static JsonNode tree(@Nullable Map<String, String> texts) {
    return Json.tree(texts == null ? Map.of() : new TreeMap<>(texts));
  }

  public static ObjectNode message(String body) {
    return Json.object().put("message", body);
  }

  /** The JSON form of items that were inserted into a table. */
  public static ObjectNode inserted(List<Item> items) {
    ObjectNode form = Json.object();
    items.forEach(item -> form.withArray("inserted").add(json(item)));
    return form;
  }

  /** The JSON form of an event that consists of names and values. */
  public static ObjectNode invocation(Map<String, Object> event) {
    return Json.object().set("invocation", Json.tree(new TreeMap<>(event)));
  }

  /** An item in the tables' wire format. */
  public static ObjectNode json(Item item) {
    ObjectNode json = Json.object();
    new TreeMap<>(Attributes.of(item))
        .forEach(
            (name, value) ->
                json.set(
                    name,
                    switch (value.type()) {
                      case S -> Json.object().put("S", value.s());
                      case N -> Json.object().put("N", value.n());
                      case B -> Json.object().put("B", value.b().asByteArray());
                      case SS -> Json.tree(Map.of("SS", value.ss().stream().sorted().toList()));
                      default -> throw new IllegalArgumentException("No attribute: " + value);
                    }));
    return json;
  }

  Map<String, String> settings() {
    return texts(form.path("settings"));
  }

  int port() {
    return form.path("port").intValue();
  }

  long seed() {
    return form.path("seed").longValue();
  }

  /** A clock that repeats the recorded times, then always advances, so that no wait is endless. */
  InstantSource clock() {
    Iterator<JsonNode> times = form.path("times").iterator();
    return new InstantSource() {
      private Instant now = Instant.EPOCH;

      @Override
      public synchronized Instant instant() {
        now =
            times.hasNext()
                ? Instant.ofEpochMilli(times.next().longValue())
                : now.plusSeconds(STEP_SECONDS);
        return now;
      }
    };
  }

  /** The responses of AWS, each with its operation, status and body. */
  JsonNode answers() {
    return form.path("answers");
  }

  /** The event, as the runtime passes it. */
  public Object event() {
    if (form.has("request")) {
      return request(form.path("request"));
    }
    if (form.has("message")) {
      SQSMessage message = new SQSMessage();
      message.setMessageId("priming");
      message.setBody(form.path("message").textValue());
      SQSEvent event = new SQSEvent();
      event.setRecords(List.of(message));
      return event;
    }
    if (form.has("inserted")) {
      List<DynamodbStreamRecord> records = new ArrayList<>();
      form.path("inserted").forEach(image -> records.add(inserted(image)));
      DynamodbEvent event = new DynamodbEvent();
      event.setRecords(records);
      return event;
    }
    return Json.convert(form.path("invocation"), Map.class);
  }

  private static APIGatewayProxyRequestEvent request(JsonNode request) {
    return new APIGatewayProxyRequestEvent()
        .withHttpMethod(request.path("method").textValue())
        .withResource(request.path("resource").textValue())
        .withPath(request.path("path").textValue())
        .withQueryStringParameters(texts(request.path("query")))
        .withHeaders(texts(request.path("headers")))
        .withBody(request.path("body").textValue());
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new HashMap<>();
    object.properties().forEach(one -> texts.put(one.getKey(), one.getValue().textValue()));
    return texts;
  }

  private static DynamodbStreamRecord inserted(JsonNode item) {
    Map<String, AttributeValue> image = new HashMap<>();
    item.properties().forEach(one -> image.put(one.getKey(), attribute(one.getValue())));
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setEventID("priming");
    change.setEventName("INSERT");
    change.setDynamodb(new StreamRecord().withNewImage(image).withSequenceNumber("1"));
    return change;
  }

  private static AttributeValue attribute(JsonNode json) {
    AttributeValue value = new AttributeValue();
    if (json.has("B")) {
      try {
        return value.withB(ByteBuffer.wrap(json.path("B").binaryValue()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    List<String> several = new ArrayList<>();
    json.path("SS").forEach(one -> several.add(one.textValue()));
    return value
        .withS(json.path("S").textValue())
        .withN(json.path("N").textValue())
        .withSS(several.isEmpty() ? null : several);
  }

  /**
   * The HTTP status of a response to a request. For other events, 500 if a part of the event
   * failed, else 200.
   */
  public static int status(@Nullable Object answer) {
    return switch (answer) {
      case APIGatewayProxyResponseEvent response -> response.getStatusCode();
      case SQSBatchResponse response when !response.getBatchItemFailures().isEmpty() -> FAILED;
      case StreamsEventResponse response when !response.getBatchItemFailures().isEmpty() -> FAILED;
      case null, default -> DONE;
    };
  }

  /** Fails unless the answer has the recorded status. */
  void check(@Nullable Object answer) {
    int status = status(answer);
    if (status != form.path("status").intValue()) {
      throw new IllegalStateException("Priming was answered " + status + ", not as recorded.");
    }
  }
}
