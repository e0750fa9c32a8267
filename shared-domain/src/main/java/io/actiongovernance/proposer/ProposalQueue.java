package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.StoreUnavailable;
import java.util.List;

/** Queue of events that need proposals. */
@FunctionalInterface
public interface ProposalQueue {
  /**
   * Queues each of these events, at least once.
   *
   * @throws StoreUnavailable if the queue may not have accepted all of them
   */
  void send(Partition partition, List<EventId> events);
}
