package io.actiongovernance.event;

import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Glob;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which envelopes a list or a stream is about; what is given must all hold. Cursors are bound to it
 * (contract, section 7).
 *
 * @param eventType an exact type, or a glob in which {@code *} is one segment
 * @param entity an entity touched by plans of the envelope's event: then the positions meant are
 *     those of its first touches
 */
public record EventFilter(
    @Nullable Glob eventType,
    @Nullable String source,
    @Nullable String workspaceId,
    @Nullable String entity) {
  /** All envelopes. */
  public static final EventFilter NONE = new EventFilter(null, null, null, null);

  boolean matches(LogEntry entry) {
    boolean wanted = entity == null ? entry.entity() == null : entity.equals(entry.entity());
    return wanted
        && (eventType == null || eventType.matches(entry.eventType()))
        && (source == null || source.equals(entry.source()))
        && (workspaceId == null || workspaceId.equals(entry.workspaceId()));
  }

  /** A text that is the same for equal filters only. */
  public String binding() {
    return Json.write(
        Arrays.asList(
            eventType == null ? null : eventType.toString(), source, workspaceId, entity));
  }
}
