package io.actiongovernance.trace;

import io.actiongovernance.id.TraceParent;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A span, as in OpenTelemetry.
 *
 * @param self its trace, its own id, and the flags of the trace
 * @param parent the id of the span that it is part of; null for the first of its trace
 * @param remote whether the parent span belongs to another system
 * @param calls whether it is a call to another system
 * @param end not before its start
 * @param attributes texts, whole numbers and truth values, by their names
 */
public record Span(
    TraceParent self,
    @Nullable String parent,
    boolean remote,
    String name,
    boolean calls,
    Instant start,
    Instant end,
    Map<String, Object> attributes,
    List<TraceParent> links,
    boolean failed) {
  public Span {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    links = List.copyOf(links);
    if (end.isBefore(start)) {
      throw new IllegalArgumentException("A span ends after it has begun.");
    }
  }
}
