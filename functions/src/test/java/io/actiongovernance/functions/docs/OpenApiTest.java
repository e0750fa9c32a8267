package io.actiongovernance.functions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.billing.AllowanceRoutes;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.operator.OperatorRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.session.SessionRoutes;
import io.actiongovernance.functions.webhook.WebhookRoutes;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.DeliveryType;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The published document against the tables it is made of. */
final class OpenApiTest {
  private static final String JSON = "application/json";
  private static final JsonNode NULL = TextNode.valueOf("null");
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

  private final ObjectNode document =
      (ObjectNode) Json.read(OpenApiHandler.document(URI.create("https://api.example.com")));

  @Test
  void theDocumentHasExactlyOneOperationPerRoute() {
    long operations = 0;
    for (JsonNode path : document.path("paths")) {
      operations += path.size();
    }
    assertThat(operations).isEqualTo(Routes.all().size());
    for (Route route : Routes.all()) {
      JsonNode operation = operation(route);
      assertThat(operation.path("operationId").asText()).isEqualTo(route.operation());
      assertThat(operation.path("security").isEmpty()).isEqualTo(route.rateClass() == null);
      if (route.scope() != null) {
        assertThat(operation.path("description").asText()).contains(route.scope().wire());
      }
      if (route.access().furtherScope() != null) {
        assertThat(operation.path("description").asText())
            .contains("` and `" + route.access().furtherScope().wire() + "`.");
      }
    }
  }

  @Test
  void theDeprecatedRevisionAndItsResponseHeadersAreDescribed() {
    assertThat(document.at("/components/parameters/Service-Version/description").asText())
        .contains("Deprecated: `2026-05-01`", "2027-12-01", "#revision-2026-05-01-deprecated");
    for (Route route : Routes.all()) {
      for (JsonNode response : operation(route).path("responses")) {
        assertThat(response.path("headers").fieldNames())
            .toIterable()
            .contains("Deprecation", "Sunset", "Link");
      }
    }
  }

  /** What is shown once, as the recorded examples have it, and addresses that sign somebody in. */
  private static final Pattern SECRET =
      Pattern.compile("shownOnceAndNeverAgain|[?&#](ticket|state)=");

  @Test
  void anAnswerWithASecretIsReplayedOnlyToItsRequester() {
    List<String> holding = new ArrayList<>();
    for (Route route : Routes.all()) {
      String answers = operation(route).path("responses").toString();
      if (route.takesIdempotencyKey() && SECRET.matcher(answers).find()) {
        holding.add(route.operation());
        assertThat(route.form().idempotencyKey())
            .as(route.operation())
            .isEqualTo(Route.Keyed.TO_ASKER);
      }
    }
    assertThat(holding)
        .contains(
            "authorize-connector",
            "create-key",
            "create-person",
            "create-ticket",
            "create-webhook-endpoint");
  }

  private JsonNode operation(Route route) {
    return document
        .path("paths")
        .path(route.path())
        .path(route.method().name().toLowerCase(Locale.ROOT));
  }

  @Test
  void everyReferenceLeadsSomewhereAndEverySchemaIsReferredTo() {
    List<JsonNode> references = document.findValues("$ref");
    assertThat(references).isNotEmpty();
    for (JsonNode reference : references) {
      assertThat(document.at(reference.textValue().substring(1)).isMissingNode())
          .as(reference.textValue())
          .isFalse();
    }
    for (Iterator<String> names = document.at("/components/schemas").fieldNames();
        names.hasNext(); ) {
      String name = "#/components/schemas/" + names.next();
      assertThat(references).as(name).anyMatch(one -> one.textValue().equals(name));
    }
  }

  @Test
  void everyErrorCodeIsDescribed() {
    String paths = document.path("paths").toString();
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(paths).contains("`" + code.wire() + "`");
    }
    assertThat(
            document.at("/components/schemas/ErrorEnvelope/properties/error/properties/code/enum"))
        .hasSize(ErrorCode.values().length);
  }

  /** With no field that is not told of, which readers would take for one of the contract's. */
  @Test
  void everyExampleFitsItsSchema() {
    ObjectNode components = document.path("components").deepCopy();
    components.path("schemas").forEach(OpenApiTest::close);
    List<JsonNode> contents = new ArrayList<>(document.path("paths").findValues(JSON));
    for (JsonNode content : contents) {
      JsonNode schema = content.path("schema");
      if (!content.has("example") || !schema.has("$ref")) {
        continue;
      }
      ObjectNode whole = schema.deepCopy();
      whole.set("components", components);
      assertThat(SCHEMAS.getSchema(whole).validate(content.path("example")))
          .as(schema.path("$ref").asText())
          .isEmpty();
    }
  }

  /** A reader may try the line of the documents by which a receipt is checked on the example. */
  @Test
  void theExampleReceiptHasItsHash() {
    JsonNode retrieve = document.path("paths").path("/v1/receipts/{receipt_id}").path("get");
    ObjectNode receipt =
        retrieve
            .path("responses")
            .path("200")
            .path("content")
            .path(JSON)
            .path("example")
            .deepCopy();
    String hash = receipt.remove("hash").asText();
    assertThat(CanonicalJson.sha256(receipt)).isEqualTo(hash);
  }

  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object && object.path("properties").isObject()) {
      object.put("additionalProperties", false);
    }
    schema.forEach(OpenApiTest::close);
  }

  @Test
  void everyOperationHasItsSummaryDescriptionsAndResponses() {
    for (JsonNode operation : operationsAndCallbacks()) {
      String name = operation.path("operationId").asText();
      assertThat(operation.path("summary").asText()).as(name).isNotBlank();
      assertThat(operation.path("description").asText()).as(name).isNotBlank();
      assertThat(document.path("tags").findValuesAsText("name"))
          .contains(operation.at("/tags/0").asText());
      assertThat(operation.path("responses")).as(name).isNotEmpty();
      for (JsonNode response : operation.path("responses")) {
        assertThat(response.path("description").asText()).as(name).isNotBlank();
      }
      for (JsonNode contents : operation.findValues("content")) {
        for (JsonNode content : contents) {
          assertThat(content.hasNonNull("example") || content.has("examples")).as(name).isTrue();
        }
      }
    }
  }

  /** In words that are its own, or those of the schema that it refers to. */
  @Test
  void everyFieldParameterAndHeaderIsDescribed() {
    List<String> found = new ArrayList<>();
    undescribed(document.path("components"), "components", found);
    operationsAndCallbacks()
        .forEach(one -> undescribed(one, one.path("operationId").asText(), found));
    assertThat(found).isEmpty();
  }

  private void undescribed(JsonNode node, String place, List<String> found) {
    for (String kind : List.of("properties", "parameters", "headers")) {
      JsonNode those = node.path(kind);
      for (JsonNode one : those) {
        JsonNode meant =
            one.has("description") || !one.has("$ref")
                ? one
                : document.at(one.path("$ref").textValue().substring(1));
        if (meant.path("description").asText().isBlank()) {
          found.add(place + " " + kind + " " + one);
        }
      }
    }
    node.properties()
        .forEach(
            inner -> {
              if (!inner.getKey().startsWith("example")) {
                undescribed(inner.getValue(), place + "/" + inner.getKey(), found);
              }
            });
    if (node.isArray()) {
      node.forEach(element -> undescribed(element, place, found));
    }
  }

  private List<JsonNode> operationsAndCallbacks() {
    List<JsonNode> all = new ArrayList<>();
    document.path("paths").forEach(methods -> methods.forEach(all::add));
    all.addAll(deliveries().values());
    return all;
  }

  /** What is posted to an endpoint, by its type. */
  private Map<String, JsonNode> deliveries() {
    Map<String, JsonNode> deliveries = new LinkedHashMap<>();
    operation(WebhookRoutes.CREATE_WEBHOOK_ENDPOINT)
        .path("callbacks")
        .properties()
        .forEach(
            callback ->
                deliveries.put(
                    callback.getKey(),
                    callback.getValue().path("{$request.body#/url}").path("post")));
    return deliveries;
  }

  @Test
  void everyTypeOfDeliveryIsACallbackWithTheHeadersThatSignIt() {
    assertThat(deliveries().keySet())
        .containsExactlyElementsOf(
            Arrays.stream(DeliveryType.values()).map(DeliveryType::wire).toList());
    for (JsonNode delivery : deliveries().values()) {
      assertThat(delivery.path("parameters").findValuesAsText("$ref"))
          .extracting(reference -> reference.replaceFirst(".*/", ""))
          .containsExactly(
              "Service-Signature", "webhook-id", "webhook-timestamp", "webhook-signature");
    }
    for (String name : List.of("Service-Signature", "webhook-id", "webhook-signature")) {
      JsonNode header = document.at("/components/parameters/" + name);
      assertThat(header.path("example").asText()).matches(header.at("/schema/pattern").asText());
    }
  }

  /** A body names a resource where a halt does; the allowance is not there for a pinned key. */
  @Test
  void aNotFoundIsDescribedWhereAResourceIsNamed() {
    Set<Route> besides =
        Set.of(
            HaltRoutes.CREATE_HALT,
            SessionRoutes.CREATE_TICKET,
            AllowanceRoutes.RETRIEVE_ALLOWANCE,
            AllowanceRoutes.UPDATE_ALLOWANCE);
    for (Route route : Routes.all()) {
      assertThat(operation(route).path("responses").has("404"))
          .as(route.name())
          .isEqualTo(route.path().contains("{") || besides.contains(route));
    }
  }

  @Test
  void aMissingParameterIsDescribedIfSomethingIsRequired() {
    for (Route route :
        List.of(KeyRoutes.REVOKE_KEY, OperatorRoutes.PAUSE_OPERATOR, PlanRoutes.APPROVE_PLAN)) {
      assertThat(operation(route).at("/responses/400/description").asText())
          .doesNotContain("missing_parameter");
    }
    for (Route route :
        List.of(KeyRoutes.CREATE_KEY, OperatorRoutes.UPDATE_OPERATOR, PlanRoutes.VETO_PLAN)) {
      assertThat(operation(route).at("/responses/400/description").asText())
          .contains("missing_parameter");
    }
  }

  /** A generated client sends a list that is never null as an empty one where it was not set. */
  @Test
  void everyOptionalListOfARequestMayBeNull() {
    List<String> found = new ArrayList<>();
    for (Route route : Routes.all()) {
      JsonNode schema = body(route);
      optionalLists(schema, route.operation(), new ArrayList<>(), found);
    }
    assertThat(found).contains("update-operator.guardrails", "Triggers.event_types");
    assertThat(found).noneMatch(list -> list.endsWith(" is never null"));
  }

  private JsonNode body(Route route) {
    return operation(route).path("requestBody").path("content").path(JSON).path("schema");
  }

  private void optionalLists(JsonNode node, String name, List<String> seen, List<String> found) {
    String reference = node.path("$ref").asText();
    if (!reference.isEmpty() && !seen.contains(reference)) {
      seen.add(reference);
      String component = reference.replaceFirst(".*/", "");
      optionalLists(document.at(reference.substring(1)), component, seen, found);
    }
    List<String> required = new ArrayList<>();
    node.path("required").forEach(one -> required.add(one.asText()));
    for (Map.Entry<String, JsonNode> field : node.path("properties").properties()) {
      if (field.getValue().has("items") && !required.contains(field.getKey())) {
        boolean orNull = field.getValue().path("type").valueStream().anyMatch(NULL::equals);
        found.add(name + "." + field.getKey() + (orNull ? "" : " is never null"));
      }
    }
    node.properties()
        .forEach(
            inner -> {
              if (!inner.getKey().startsWith("example")) {
                optionalLists(inner.getValue(), name, seen, found);
              }
            });
    if (node.isArray()) {
      node.forEach(element -> optionalLists(element, name, seen, found));
    }
  }

  /** Else a generated client that changes something else would set it to that. */
  @Test
  void anOptionalFieldOfAChangeHasNoDefault() {
    for (Route route : Routes.all()) {
      if (route.method() != Route.Method.PATCH) {
        continue;
      }
      String answer =
          operation(route)
              .at("/responses/200/content/application~1json/schema/$ref")
              .asText()
              .substring(1);
      JsonNode kept = document.at(answer).path("properties");
      assertThat(kept).isNotEmpty();
      for (Map.Entry<String, JsonNode> field : body(route).path("properties").properties()) {
        assertThat(kept.has(field.getKey()) && field.getValue().has("default"))
            .as(route.operation() + " " + field.getKey())
            .isFalse();
      }
    }
  }

  @Test
  void theDescribedIdempotencyKeyIsTheAcceptedOne() {
    JsonNode schema = document.at("/components/parameters/Idempotency-Key/schema");
    int longest = schema.path("maxLength").intValue();
    String pattern = schema.path("pattern").textValue();
    String key = "k".repeat(255);
    for (String taken : List.of("a", "\"", "\"a", "a\"", "a b", "\" \"", key, '"' + key + '"')) {
      assertThat(taken.matches(pattern) && taken.length() <= longest).as(taken).isTrue();
    }
    for (String refused : List.of("", "\"\"", " ", " a", "a ", "ä", key + "k", '"' + key + "k\"")) {
      assertThat(refused.matches(pattern) && refused.length() <= longest).as(refused).isFalse();
    }
  }

  @Test
  void retryAfterIsDescribedExactlyWhereWaitingHelps() {
    for (Route route : Routes.all()) {
      for (Map.Entry<String, JsonNode> response : operation(route).path("responses").properties()) {
        boolean told = response.getValue().path("headers").has("Retry-After");
        switch (response.getKey()) {
          case "429", "503" -> assertThat(told).as(route + " " + response.getKey()).isTrue();
          case "409" ->
              assertThat(told)
                  .isEqualTo(
                      response.getValue().path("description").asText().contains("in_progress"));
          default -> assertThat(told).as(route + " " + response.getKey()).isFalse();
        }
      }
    }
  }

  @Test
  void everyOperationDescribesTheHeadersOfEveryResponse() {
    for (Route route : Routes.all()) {
      for (JsonNode response : operation(route).path("responses")) {
        for (String name : Headers.OF_EVERY_RESPONSE) {
          assertThat(response.path("headers").has(name)).as(route + " " + name).isTrue();
        }
      }
    }
  }
}
