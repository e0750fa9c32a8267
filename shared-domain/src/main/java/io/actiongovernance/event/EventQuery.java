package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Query of a list of events.
 *
 * @param reach the reach of the caller's key; it hides other workspaces, and outcomes of other
 *     operators, but is not part of the filter
 * @param since only events created at this time or later
 * @param until only events created before this time
 */
public record EventQuery(
    Partition partition,
    Reach reach,
    EventFilter filter,
    Order order,
    @Nullable Instant since,
    @Nullable Instant until) {

  Log log() {
    return Log.of(partition, filter.log());
  }

  boolean matches(LogEntry entry) {
    return filter.matches(entry)
        && reach.covers(entry.workspaceId())
        && isWithin(entry.createdAt());
  }

  boolean matches(OutcomeEvent outcome) {
    return filter.matches(outcome)
        && reach.covers(outcome.workspaceId(), outcome.outcome().operatorId())
        && isWithin(outcome.createdAt());
  }

  private boolean isWithin(Instant created) {
    return (since == null || !created.isBefore(since))
        && (until == null || created.isBefore(until));
  }

  /**
   * Returns whether reading can stop, because neither this position nor any later one in this order
   * can match.
   *
   * @param ownTime whether entries at these positions were created at the log's time
   */
  boolean endsAt(Instant logTime, boolean ownTime) {
    return switch (order) {
      // No event is created after the log's time at any of its positions, and the log's time never
      // goes back.
      case DESC -> since != null && logTime.isBefore(since);
      case ASC -> until != null && ownTime && !logTime.isBefore(until);
    };
  }

  /**
   * Returns whether the query reads the envelopes' own positions, at which the log's time is the
   * creation of the event.
   */
  boolean isOfEnvelopes() {
    return filter.log() == Log.Kind.ENVELOPES;
  }
}
