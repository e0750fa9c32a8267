package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.DeliveryType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What the service posts to webhook endpoints (specification, Webhook delivery types; contract,
 * section 8): an entry for each type of delivery, told of in {@code openapi/webhooks.json}, with
 * the headers that sign it, and what comes of its answers. Stateless.
 */
final class Webhooks {
  private static final List<String> SIGNATURES =
      List.of("Service-Signature", "webhook-id", "webhook-timestamp", "webhook-signature");

  /** The fields of a body, in their order; those besides type and data as the API shows them. */
  private static final List<String> FIELDS =
      List.of(
          "id", "object", "endpoint_id", "type", "data", "correlation_id", "attempt", "created_at");

  private final JsonNode told = OpenApi.resource("/openapi/webhooks.json");
  private final JsonNode samples = OpenApi.resource("/webhook-samples.json");
  private final JsonNode delivery;
  private final JsonNode example;

  /**
   * @param schemas with that of a delivery as the API shows it
   * @param examples with one of such a delivery
   */
  Webhooks(JsonNode schemas, JsonNode examples) {
    this.delivery = schemas.path("WebhookDelivery").path("properties");
    this.example = examples.path("WebhookDelivery");
  }

  ObjectNode all() {
    ObjectNode all = Json.object();
    for (DeliveryType type : DeliveryType.values()) {
      all.putObject(type.wire()).set("post", operation(type));
    }
    return all;
  }

  /** The schemas of the bodies, by their names. */
  ObjectNode schemas() {
    ObjectNode schemas = Json.object();
    for (DeliveryType type : DeliveryType.values()) {
      schemas.set(schemaName(type), schema(type));
    }
    return schemas;
  }

  private JsonNode own(DeliveryType type) {
    JsonNode own = told.path(type.wire());
    if (own.isMissingNode()) {
      throw new IllegalStateException("openapi/webhooks.json says nothing of " + type);
    }
    return own;
  }

  private ObjectNode operation(DeliveryType type) {
    ObjectNode operation =
        Json.object()
            .put("operationId", "deliver-" + type.wire().replaceAll("[._]", "-"))
            .put("summary", own(type).path("summary").textValue())
            .put("description", own(type).path("description").textValue());
    operation.putArray("tags").add("Webhooks");
    operation.putArray("security");
    ArrayNode parameters = operation.putArray("parameters");
    SIGNATURES.forEach(name -> OpenApi.reference(parameters, name));
    ObjectNode content =
        operation
            .putObject("requestBody")
            .put("required", true)
            .putObject("content")
            .putObject(OpenApi.JSON);
    content.putObject("schema").put("$ref", "#/components/schemas/" + schemaName(type));
    content.set("example", example(type));
    ObjectNode responses = operation.putObject("responses");
    responses
        .putObject("2XX")
        .put("description", "Taken, if it comes within 10 seconds: the delivery has succeeded.");
    responses.putObject("410").put("description", "The delivery has failed; no more attempts.");
    responses
        .putObject("default")
        .put(
            "description",
            "Anything else, a redirect or no answer within 10 seconds: tried again after 30 s,"
                + " 2 min, 10 min, 1 h and 6 h, each ±20 %, six attempts in all. `Retry-After` with"
                + " a 429 or 503 is honoured up to twice the step.");
    return operation;
  }

  /** {@code PlanProposedDelivery}. */
  private static String schemaName(DeliveryType type) {
    return Arrays.stream(type.name().split("_"))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining())
        + "Delivery";
  }

  private ObjectNode schema(DeliveryType type) {
    ObjectNode schema =
        Json.object()
            .put("type", "object")
            .put("description", "The body of a delivery of type `" + type.wire() + "`.");
    ArrayNode required = schema.putArray("required");
    ObjectNode properties = schema.putObject("properties");
    for (String field : FIELDS) {
      required.add(field);
      properties.set(field, delivery.path(field).deepCopy());
    }
    properties
        .putObject("type")
        .put("type", "string")
        .put("description", "Always `" + type.wire() + "`.")
        .put("const", type.wire());
    ArrayNode data =
        ((ObjectNode) properties.path("data")).remove(List.of("type")).putArray("oneOf");
    for (String name : List.of(own(type).path("data").textValue(), "TruncatedObject")) {
      data.addObject().put("$ref", "#/components/schemas/" + name);
    }
    return schema;
  }

  private ObjectNode example(DeliveryType type) {
    ObjectNode body = Json.object();
    FIELDS.forEach(field -> body.set(field, example.path(field)));
    body.put("type", type.wire()).set("data", samples.path(type.wire()));
    return body;
  }
}
