package io.actiongovernance.functions.trace;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import io.actiongovernance.trace.Span;
import java.time.Instant;
import java.util.List;

/**
 * Spans in OTLP's JSON format: {@code ExportTraceServiceRequest}, with names in lower camel case,
 * ids in hex, enumerations as numbers, and 64-bit numbers as texts.
 */
final class OtlpJson {
  private static final String SERVICE = "action-governance";
  private static final int INTERNAL = 1;
  private static final int CLIENT = 3;
  private static final int ERROR = 2;

  /** The trace flag by which a span states that it is known whether its parent is remote. */
  private static final int KNOWS_PARENT = 0x100;

  private static final int REMOTE_PARENT = 0x200;
  private static final long NANOS = 1_000_000_000L;

  private OtlpJson() {}

  /**
   * @param deployment the prefix of the deployment's names
   */
  static String of(List<Span> spans, String deployment) {
    ObjectNode request = Json.object();
    ObjectNode all = request.putArray("resourceSpans").addObject();
    ArrayNode resource = all.putObject("resource").putArray("attributes");
    attribute(resource, "service.name", SERVICE);
    attribute(resource, "service.namespace", deployment);
    ObjectNode scoped = all.putArray("scopeSpans").addObject();
    scoped.putObject("scope").put("name", "io.actiongovernance");
    ArrayNode told = scoped.putArray("spans");
    spans.forEach(span -> told.add(of(span)));
    return Json.write(request);
  }

  private static ObjectNode of(Span span) {
    ObjectNode told = place(Json.object(), span.self());
    if (span.parent() != null) {
      told.put("parentSpanId", span.parent());
    }
    told.put("flags", span.self().flags() | KNOWS_PARENT | (span.remote() ? REMOTE_PARENT : 0))
        .put("name", span.name())
        .put("kind", span.calls() ? CLIENT : INTERNAL)
        .put("startTimeUnixNano", nanos(span.start()))
        .put("endTimeUnixNano", nanos(span.end()));
    ArrayNode attributes = told.putArray("attributes");
    span.attributes().forEach((name, value) -> attribute(attributes, name, value));
    if (!span.links().isEmpty()) {
      ArrayNode links = told.putArray("links");
      span.links()
          .forEach(link -> links.add(place(Json.object(), link).put("flags", link.flags())));
    }
    ObjectNode status = told.putObject("status");
    if (span.failed()) {
      status.put("code", ERROR);
    }
    return told;
  }

  private static ObjectNode place(ObjectNode told, TraceParent place) {
    return told.put("traceId", place.traceId()).put("spanId", place.spanId());
  }

  private static String nanos(Instant instant) {
    return Long.toString(
        Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), NANOS), (long) instant.getNano()));
  }

  private static void attribute(ArrayNode attributes, String name, Object value) {
    ObjectNode said = attributes.addObject().put("key", name).putObject("value");
    switch (value) {
      case String text -> said.put("stringValue", text);
      case Long number -> said.put("intValue", number.toString());
      case Boolean flag -> said.put("boolValue", flag);
      default -> throw new IllegalArgumentException("No attribute of a span: " + value.getClass());
    }
  }
}
