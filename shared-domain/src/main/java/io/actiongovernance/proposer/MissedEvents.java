package io.actiongovernance.proposer;

import io.actiongovernance.event.HandedOn;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on events that no relay handed on, because the stream lost their changes. An event that is
 * handed on twice gets one proposal. Thread-safe.
 */
public final class MissedEvents {
  private static final Logger LOG = LoggerFactory.getLogger(MissedEvents.class);

  private final Store store;
  private final HandedOn handedOn;
  private final ProposalQueue queue;

  public MissedEvents(Store store, HandedOn handedOn, ProposalQueue queue) {
    this.store = store;
    this.handedOn = handedOn;
    this.queue = queue;
  }

  /** Hands on the events after a row's position that were missed, and moves the position. */
  void handOn(Item row) {
    HandedOn.Missed missed = handedOn.missed(row);
    int count = missed.events().size();
    if (count > 0) {
      queue.send(missed.partition(), missed.events());
      LOG.atWarn()
          .addKeyValue("partition", missed.partition().key())
          .addKeyValue("events", count)
          .log("Handed on events that no relay had handed on");
    }
    store.write(missed.next());
  }
}
