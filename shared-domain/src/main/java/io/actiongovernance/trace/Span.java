package io.actiongovernance.trace;

import io.actiongovernance.id.TraceParent;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A span, as OpenTelemetry has it.
 *
 * @param self where it stands: its trace, its own id, and the flags of the trace
 * @param parent the id of the span that it is a part of; null for the first of its trace
 * @param remote whether that span is somebody else's
 * @param calls whether it is of a call to somebody else
 * @param end not before its start
 * @param attributes texts, whole numbers and truth values, by their names
 * @param links other spans that it has to do with
 * @param failed whether what it is of failed
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
