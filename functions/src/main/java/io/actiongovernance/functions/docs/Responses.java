package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.contract.Told;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * The responses of a route as the document tells of them: the answer with its headers and an
 * example, what a stored answer is replayed as, and the errors by status.
 */
final class Responses {
  /** What any request may be answered with. */
  private static final Set<ErrorCode> OF_EVERY_REQUEST =
      EnumSet.of(
          ErrorCode.INVALID_PARAMETER,
          ErrorCode.RATE_LIMITED,
          ErrorCode.INTERNAL_ERROR,
          ErrorCode.SERVICE_UNAVAILABLE);

  private static final Set<ErrorCode> OF_EVERY_KEY =
      EnumSet.of(
          ErrorCode.UNAUTHENTICATED,
          ErrorCode.KEY_INVALID,
          ErrorCode.KEY_REVOKED,
          ErrorCode.KEY_EXPIRED);

  private static final Set<ErrorCode> OF_EVERY_BODY =
      EnumSet.of(ErrorCode.INVALID_JSON, ErrorCode.INVALID_REQUEST, ErrorCode.TENANT_MISMATCH);

  private final JsonNode schemas;
  private final JsonNode examples;

  /**
   * @param examples of what is answered, by the name of its schema
   */
  Responses(JsonNode schemas, JsonNode examples) {
    this.schemas = schemas;
    this.examples = examples;
  }

  ObjectNode of(Route route, JsonNode own) {
    return of(route, own.path("status").asInt(), success(own), errors(route, own));
  }

  ObjectNode of(Route route, Told told) {
    EnumSet<ErrorCode> errors = errors(route);
    if (told.mayLack()) {
      errors.add(ErrorCode.MISSING_PARAMETER);
    }
    if (told.pages()) {
      errors.add(ErrorCode.INVALID_CURSOR);
    }
    errors.addAll(told.errors());
    return of(route, told.operation().status(), told.answer(), errors);
  }

  private static ObjectNode of(Route route, int status, ObjectNode success, Set<ErrorCode> codes) {
    ObjectNode responses = Json.object();
    boolean stored = route.method().takesIdempotencyKey();
    responses.set(String.valueOf(status), success);
    if (stored && status == 200) {
      success.set("headers", Headers.references("Idempotent-Replayed"));
    } else {
      success.set("headers", Headers.references());
      if (stored) {
        ObjectNode replayed = success.deepCopy();
        replayed.put("description", "The stored answer, under the same Idempotency-Key.");
        replayed.set("headers", Headers.references("Idempotent-Replayed"));
        responses.set("200", replayed);
      }
    }
    TreeMap<Integer, List<ErrorCode>> errors = new TreeMap<>();
    codes.forEach(code -> errors.computeIfAbsent(code.status(), _ -> new ArrayList<>()).add(code));
    errors.forEach((error, these) -> responses.set(error.toString(), error(these)));
    return responses;
  }

  private ObjectNode success(JsonNode own) {
    ObjectNode success = Json.object();
    String answer = own.path("answer").textValue();
    if (answer.contains("/")) {
      success.put("description", own.path("summary").textValue() + ".");
      ObjectNode content = success.putObject("content").putObject(answer);
      content.putObject("schema").put("type", answer.equals(OpenApi.JSON) ? "object" : "string");
      content.set("example", own.path("answer_example"));
      return success;
    }
    success.put("description", schemas.path(answer).path("description").textValue());
    ObjectNode content = success.putObject("content").putObject(OpenApi.JSON);
    content.putObject("schema").put("$ref", "#/components/schemas/" + answer);
    content.set("example", example(answer));
    return success;
  }

  private JsonNode example(String answer) {
    if (examples.has(answer)) {
      return examples.path(answer);
    }
    if (!answer.endsWith("List")) {
      throw new IllegalStateException("openapi/examples.json has none of " + answer);
    }
    ObjectNode list = Json.object().put("object", "list");
    list.putArray("data").add(example(answer.substring(0, answer.length() - "List".length())));
    return list.put("has_more", false).putNull("next_cursor");
  }

  private static ObjectNode error(List<ErrorCode> codes) {
    ObjectNode error = Json.object();
    error.put(
        "description",
        String.join(", ", codes.stream().map(code -> "`" + code.wire() + "`").toList()) + ".");
    error.set("headers", headers(codes));
    ObjectNode content = error.putObject("content").putObject(OpenApi.JSON);
    content.putObject("schema").put("$ref", "#/components/schemas/Error");
    ObjectNode named = content.putObject("examples");
    codes.forEach(
        code -> named.putObject(code.wire()).put("$ref", "#/components/examples/" + code.wire()));
    return error;
  }

  /** {@code Retry-After} is where waiting helps, and nowhere else (contract, section 1). */
  private static ObjectNode headers(List<ErrorCode> codes) {
    if (codes.contains(ErrorCode.POLICY_BLOCKED)) {
      return Headers.references("Idempotent-Replayed");
    }
    boolean waits =
        codes.stream()
            .anyMatch(
                code ->
                    switch (code) {
                      case RATE_LIMITED,
                          QUOTA_EXCEEDED,
                          SERVICE_UNAVAILABLE,
                          ENTITY_LOCKED,
                          IDEMPOTENCY_IN_PROGRESS ->
                          true;
                      default -> false;
                    });
    return waits ? Headers.references("Retry-After") : Headers.references();
  }

  private Set<ErrorCode> errors(Route route, JsonNode own) {
    EnumSet<ErrorCode> errors = errors(route);
    if (requires(own.path("body"))) {
      errors.add(ErrorCode.MISSING_PARAMETER);
    }
    for (JsonNode query : own.path("query")) {
      if (query.asText().equals("cursor")) {
        errors.add(ErrorCode.INVALID_CURSOR);
      }
    }
    for (JsonNode code : own.path("errors")) {
      errors.add(ErrorCode.valueOf(code.textValue().toUpperCase(Locale.ROOT)));
    }
    return errors;
  }

  private static EnumSet<ErrorCode> errors(Route route) {
    EnumSet<ErrorCode> errors = EnumSet.copyOf(OF_EVERY_REQUEST);
    if (route.rateClass() != null) {
      errors.addAll(OF_EVERY_KEY);
    }
    if (route.scope() != null) {
      errors.add(ErrorCode.INSUFFICIENT_SCOPE);
    }
    if (!route.method().reads()) {
      errors.addAll(OF_EVERY_BODY);
    }
    if (route.method().takesIdempotencyKey()) {
      errors.add(ErrorCode.IDEMPOTENCY_CONFLICT);
      errors.add(ErrorCode.IDEMPOTENCY_IN_PROGRESS);
    }
    if (OpenApi.PARAMETER.matcher(route.path()).find()) {
      errors.add(ErrorCode.NOT_FOUND);
    }
    return errors;
  }

  /** Whether a body of this schema can lack what it or a part of it must have. */
  private boolean requires(JsonNode schema) {
    if (schema.path("required").isArray() && !schema.path("required").isEmpty()) {
      return true;
    }
    String reference = schema.path("$ref").asText();
    return (!reference.isEmpty() && requires(schemas.path(reference.replaceFirst(".*/", ""))))
        || StreamSupport.stream(schema.spliterator(), false).anyMatch(this::requires);
  }

  /** One example of every code, which the responses refer to. */
  static ObjectNode errorExamples(URI baseUrl) {
    ObjectNode all = Json.object();
    for (ErrorCode code : ErrorCode.values()) {
      ObjectNode example = all.putObject(code.wire());
      example.put("summary", "A " + code.status() + " of this code.");
      example
          .putObject("value")
          .putObject("error")
          .put("type", code.type())
          .put("code", code.wire())
          .put("message", "For people: what was wrong with this request.")
          .put("doc_url", baseUrl + "/docs/errors#" + code.wire())
          .put("request_id", "req_01m7yt2z78d1b3k25vq4kv9jme")
          .putNull("param")
          .putNull("details");
    }
    return all;
  }
}
