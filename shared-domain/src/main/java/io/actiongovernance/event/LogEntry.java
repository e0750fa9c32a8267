package io.actiongovernance.event;

import io.actiongovernance.id.EventId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A filled position of the log: an envelope, or the first touch of an entity by a plan of an
 * envelope's event.
 *
 * @param position from 1, without gaps except for tombstones and expired entries
 * @param at the log's time at this position; never goes back from one position to the next
 * @param entity the entity that was first touched, or null for the envelope itself
 * @param createdAt when the event was ingested
 * @param bytes size of its payload
 */
public record LogEntry(
    long position,
    Instant at,
    @Nullable String entity,
    EventId eventId,
    String eventType,
    String source,
    @Nullable String workspaceId,
    Instant createdAt,
    long bytes) {
  static LogEntry of(Event event, long bytes) {
    return new LogEntry(
        event.position(),
        event.createdAt(),
        null,
        event.id(),
        event.eventType(),
        event.source(),
        event.workspaceId(),
        event.createdAt(),
        bytes);
  }

  /** Returns the entry of the same event for the first touch of an entity. */
  LogEntry touching(String entityKey, LogHead.Taken taken) {
    return new LogEntry(
        taken.position(),
        taken.at(),
        entityKey,
        eventId,
        eventType,
        source,
        workspaceId,
        createdAt,
        bytes);
  }
}
