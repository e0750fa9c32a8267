package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.OperationDocument;
import io.actiongovernance.functions.contract.PublishedSchemas;
import io.actiongovernance.functions.contract.Samples;
import io.actiongovernance.functions.route.ErrorEnvelope;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A route's responses in the published document: the success with its headers and an example, the
 * replay of a stored response, and the errors by status.
 */
final class Responses {
  /** The errors that any request may get. */
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
          ErrorCode.KEY_EXPIRED,
          ErrorCode.KEY_SUSPENDED);

  private static final Set<ErrorCode> OF_EVERY_BODY =
      EnumSet.of(ErrorCode.INVALID_JSON, ErrorCode.INVALID_REQUEST, ErrorCode.TENANT_MISMATCH);

  private final PublishedSchemas schemas;

  Responses(PublishedSchemas schemas) {
    this.schemas = schemas;
  }

  ObjectNode of(Route route, OperationDocument told) {
    EnumSet<ErrorCode> errors = errors(route);
    if (told.mayLack()) {
      errors.add(ErrorCode.MISSING_PARAMETER);
    }
    if (told.pages()) {
      errors.add(ErrorCode.INVALID_CURSOR);
    }
    errors.addAll(told.errors());
    ObjectNode responses = of(route, told.operation().status(), told.answer(), errors);
    if (told.operation().accepted() != void.class) {
      accept(responses, told.operation().accepted());
    }
    return responses;
  }

  /** Adds the 202 response of an accepted request, and the 200 response of its replay. */
  private void accept(ObjectNode responses, Class<?> answer) {
    ObjectNode reference = schemas.reference(answer, PublishedSchemas.Side.ANSWER);
    Doc doc = Objects.requireNonNull(answer.getAnnotation(Doc.class));
    ObjectNode accepted = responses.putObject("202").put("description", doc.value());
    accepted.set("headers", Headers.references());
    ObjectNode content = accepted.putObject("content").putObject(OpenApi.JSON);
    content.set("schema", reference);
    content.set("example", Samples.answer(answer));
    ObjectNode done = responses.withObject("/200/content").withObjectProperty(OpenApi.JSON);
    JsonNode whole = done.path("schema");
    done.putObject("schema").putArray("anyOf").add(whole).add(reference.deepCopy());
  }

  private ObjectNode of(Route route, int status, ObjectNode success, Set<ErrorCode> codes) {
    ObjectNode responses = Json.object();
    boolean stored = route.takesIdempotencyKey();
    responses.set(String.valueOf(status), success);
    if (stored && status == 200) {
      success.set("headers", Headers.references("Idempotent-Replayed"));
    } else if (status == Operation.FOUND) {
      success.set("headers", Headers.references("Location", "Set-Cookie"));
    } else {
      success.set("headers", Headers.references());
      if (stored) {
        ObjectNode replayed = success.deepCopy();
        replayed.put("description", "The stored answer to the same `Idempotency-Key`.");
        replayed.set("headers", Headers.references("Idempotent-Replayed"));
        responses.set("200", replayed);
      }
    }
    TreeMap<Integer, List<ErrorCode>> errors = new TreeMap<>();
    codes.forEach(code -> errors.computeIfAbsent(code.status(), _ -> new ArrayList<>()).add(code));
    errors.forEach((error, these) -> responses.set(error.toString(), error(these)));
    return responses;
  }

  private ObjectNode error(List<ErrorCode> codes) {
    ObjectNode error = Json.object();
    error.put(
        "description",
        String.join(", ", codes.stream().map(code -> "`" + code.wire() + "`").toList()) + ".");
    error.set("headers", headers(codes));
    ObjectNode content = error.putObject("content").putObject(OpenApi.JSON);
    content.set("schema", schemas.reference(ErrorEnvelope.class, PublishedSchemas.Side.ANSWER));
    ObjectNode named = content.putObject("examples");
    codes.forEach(
        code -> named.putObject(code.wire()).put("$ref", "#/components/examples/" + code.wire()));
    return error;
  }

  /** Adds {@code Retry-After} only if waiting helps (contract, section 1). */
  private static ObjectNode headers(List<ErrorCode> codes) {
    if (codes.contains(ErrorCode.POLICY_BLOCKED)) {
      return Headers.references("Idempotent-Replayed");
    }
    boolean waits = codes.stream().anyMatch(ErrorCode::tellsWhenToRetry);
    return waits ? Headers.references("Retry-After") : Headers.references();
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
    if (route.takesIdempotencyKey()) {
      errors.add(ErrorCode.IDEMPOTENCY_CONFLICT);
      errors.add(ErrorCode.IDEMPOTENCY_IN_PROGRESS);
    }
    if (!route.pathParameters().isEmpty()) {
      errors.add(ErrorCode.NOT_FOUND);
    }
    return errors;
  }

  /** Examples for all codes, to which the responses refer. */
  static ObjectNode errorExamples(URI baseUrl) {
    ObjectNode all = Json.object();
    for (ErrorCode code : ErrorCode.values()) {
      all.putObject(code.wire())
          .put("summary", code.happened())
          .set("value", errorExample(code, baseUrl));
    }
    return all;
  }

  static ObjectNode errorExample(ErrorCode code, URI baseUrl) {
    ObjectNode answer = Samples.answer(ErrorEnvelope.class);
    ObjectNode error = (ObjectNode) answer.path("error");
    error
        .put("type", code.type().wire())
        .put("code", code.wire())
        .put("doc_url", baseUrl + "/docs/errors#" + code.wire());
    if (code.details() != null) {
      error.set("details", Samples.answer(code.details()));
    }
    return answer;
  }
}
