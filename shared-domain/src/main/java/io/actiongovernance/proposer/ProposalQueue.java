package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.StoreUnavailable;
import java.util.List;

/** The queue of events to be proposed for. */
@FunctionalInterface
public interface ProposalQueue {
  /**
   * Has each of these events proposed for, at least once.
   *
   * @throws StoreUnavailable if the queue may not have taken all of them
   */
  void send(Partition partition, List<EventId> events);
}
