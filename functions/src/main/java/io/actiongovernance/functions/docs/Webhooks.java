package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.PublishedSchemas;
import io.actiongovernance.functions.contract.Samples;
import io.actiongovernance.functions.webhook.DeliveredObjects;
import io.actiongovernance.functions.webhook.WebhookDeliveryView;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.DeliveryType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The requests that the service sends to webhook endpoints (specification, Webhook delivery types;
 * contract, section 8). Each type of delivery is a callback of the route that creates an endpoint,
 * with its signing headers and the effects of its responses. Not thread-safe: the schemas of the
 * bodies are added to the components of one document.
 */
final class Webhooks {
  /** The target of deliveries: the {@code url} in the request that created the endpoint. */
  private static final String TO = "{$request.body#/url}";

  /** The fields of a body, in order. All but type and data have the same form as in the API. */
  private static final List<String> FIELDS =
      List.of(
          "id", "object", "endpoint_id", "type", "data", "correlation_id", "attempt", "created_at");

  private final PublishedSchemas schemas;

  Webhooks(PublishedSchemas schemas) {
    this.schemas = schemas;
  }

  @Doc(
      "Placeholder for an object that would make a delivery longer than 1 MB."
          + " Retrieve the object by its id.")
  record TruncatedObject(
      @Field(doc = "Identifier of the object.") String id,
      @Field(
              doc =
                  "Type of the object: `execution_plan`, `action`, `receipt`, `connector`,"
                      + " `operator` or `webhook_endpoint`.")
          String object,
      @Field(doc = "Always true.", constant = "true") boolean truncated) {}

  /** The callbacks by name. A callback's name is its delivery type. */
  ObjectNode callbacks() {
    ObjectNode all = Json.object();
    for (DeliveryType type : DeliveryType.values()) {
      all.putObject(type.wire()).putObject(TO).set("post", operation(type));
    }
    return all;
  }

  private ObjectNode operation(DeliveryType type) {
    DeliveredObjects.Description told = DeliveredObjects.told(type);
    ObjectNode operation =
        Json.object()
            .put("operationId", "deliver-" + type.wire().replaceAll("[._]", "-"))
            .put("summary", told.summary())
            .put("description", told.description());
    operation.putArray("tags").add("Webhooks");
    operation.putArray("security");
    ArrayNode parameters = operation.putArray("parameters");
    Parameters.OF_DELIVERIES.forEach(name -> Parameters.reference(parameters, name));
    ObjectNode content =
        operation
            .putObject("requestBody")
            .put("required", true)
            .putObject("content")
            .putObject(OpenApi.JSON);
    schemas.components().set(schemaName(type), schema(type));
    content.putObject("schema").put("$ref", "#/components/schemas/" + schemaName(type));
    content.set("example", example(type));
    ObjectNode responses = operation.putObject("responses");
    responses
        .putObject("2XX")
        .put("description", "The delivery has succeeded, if this comes within 10 seconds.");
    responses
        .putObject("410")
        .put("description", "The delivery has failed; there are no more attempts.");
    responses
        .putObject("default")
        .put(
            "description",
            "The delivery is retried after anything else: a redirect, another status, or no"
                + " answer within 10 seconds. Retries follow after 30 s, 2 min, 10 min, 1 h and 6 h,"
                + " each ±20 %: six attempts in all. `Retry-After` with a 429 or 503 is honoured"
                + " up to twice the step.");
    return operation;
  }

  /** The schema's name, such as {@code PlanProposedDelivery}. */
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
    ObjectNode delivery = schemas.object(WebhookDeliveryView.class, PublishedSchemas.Side.ANSWER);
    ArrayNode required = schema.putArray("required");
    ObjectNode properties = schema.putObject("properties");
    for (String field : FIELDS) {
      required.add(field);
      properties.set(field, delivery.path("properties").path(field));
    }
    properties
        .putObject("type")
        .put("type", "string")
        .put("description", "Always `" + type.wire() + "`.")
        .put("const", type.wire());
    ArrayNode data =
        ((ObjectNode) properties.path("data"))
            .remove(List.of("type", "examples"))
            .putArray("oneOf");
    Class<?> object = DeliveredObjects.told(type).data();
    data.add(schemas.reference(object, PublishedSchemas.Side.ANSWER));
    data.add(schemas.reference(TruncatedObject.class, PublishedSchemas.Side.ANSWER));
    return schema;
  }

  private static ObjectNode example(DeliveryType type) {
    ObjectNode delivery = Samples.answer(WebhookDeliveryView.class);
    ObjectNode body = Json.object();
    FIELDS.forEach(field -> body.set(field, delivery.path(field)));
    body.put("type", type.wire()).set("data", DeliveredObjects.sample(type));
    return body;
  }
}
