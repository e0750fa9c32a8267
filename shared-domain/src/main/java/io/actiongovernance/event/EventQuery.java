package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a list of events asks for.
 *
 * @param pin the workspace that the caller's key is pinned to, or null; it hides other workspaces
 *     but is no part of the filter
 * @param since only events created then or later
 * @param until only events created before
 */
public record EventQuery(
    Partition partition,
    @Nullable String pin,
    EventFilter filter,
    Order order,
    @Nullable Instant since,
    @Nullable Instant until) {

  /** The log that it reads. */
  Log log() {
    return Log.of(partition, isOfEnvelopes() ? Log.Kind.ENVELOPES : Log.Kind.LINKS);
  }

  boolean matches(LogEntry entry) {
    Instant created = entry.createdAt();
    return filter.matches(entry)
        && (pin == null || pin.equals(entry.workspaceId()))
        && (since == null || !created.isBefore(since))
        && (until == null || created.isBefore(until));
  }

  /**
   * Whether neither this position nor any that comes after it in this order can match, so that
   * reading on is of no use.
   */
  boolean endsAt(Instant logTime) {
    return switch (order) {
      // No event is created after the log's time at any of its positions, and the log's time never
      // goes back.
      case DESC -> since != null && logTime.isBefore(since);
      case ASC -> until != null && isOfEnvelopes() && !logTime.isBefore(until);
    };
  }

  /**
   * Whether it is about the envelopes' own positions, at which the log's time is when the event was
   * created.
   */
  boolean isOfEnvelopes() {
    return filter.entity() == null;
  }
}
