package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a list of events asks for.
 *
 * @param reach what the caller's key reaches; it hides other workspaces, and outcomes of other
 *     operators, but is no part of the filter
 * @param since only events created then or later
 * @param until only events created before
 */
public record EventQuery(
    Partition partition,
    Reach reach,
    EventFilter filter,
    Order order,
    @Nullable Instant since,
    @Nullable Instant until) {

  /** The log of what was ingested that it reads. */
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
   * Whether neither this position nor any that comes after it in this order can match, so that
   * reading on is of no use.
   *
   * @param ownTime whether what is at the positions was created at the log's time
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
   * Whether it is about the envelopes' own positions, at which the log's time is when the event was
   * created.
   */
  boolean isOfEnvelopes() {
    return filter.log() == Log.Kind.ENVELOPES;
  }
}
