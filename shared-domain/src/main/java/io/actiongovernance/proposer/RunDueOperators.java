package io.actiongovernance.proposer;

import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.FairScheduler;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.operator.Schedules;
import io.actiongovernance.operator.Schedules.Run;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Timestamps;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs operators whose schedule is due, once for each due time (contract, section 4). Also runs
 * those whose model could not be asked in an earlier hour, and hands on {@link MissedEvents}. One
 * transaction stores the request to propose and moves the schedule to its next time. So overlapping
 * invocations request a run once, and an invocation that dies loses none. Thread-safe.
 */
public final class RunDueOperators {
  private static final Logger LOG = LoggerFactory.getLogger(RunDueOperators.class);

  private final Store store;
  private final FairScheduler turns;
  private final ProposalRequests requests;
  private final ParkedProposals parked;
  private final MissedEvents missedEvents;
  private final Transactions transactions;
  private final InstantSource clock;

  public RunDueOperators(
      Store store,
      ProposalRequests requests,
      MissedEvents missedEvents,
      Transactions transactions,
      InstantSource clock) {
    this.store = store;
    this.turns = new FairScheduler(store, clock);
    this.requests = requests;
    this.parked = new ParkedProposals(store, transactions, requests, clock);
    this.missedEvents = missedEvents;
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * Requests the due runs of a shard, with tenants taking turns.
   *
   * @return how many runs this invocation requested
   */
  public int run(int shard) {
    return turns.sweep(DueIndex.SCHEDULES, shard, this::ask).hits();
  }

  private boolean ask(Item row) {
    try {
      if (HandedOn.isOne(row)) {
        missedEvents.handOn(row);
        return false;
      }
      return ParkedProposals.isOne(row)
          ? parked.release(row)
          : ask(Schedules.run(row, clock.instant()));
    } catch (RuntimeException e) {
      // A failing row must not keep the others from running. It stays due.
      LOG.atError()
          .setCause(e)
          .addKeyValue("operator", row.key().range())
          .log("Could not have an operator run that is due");
      return false;
    }
  }

  private boolean ask(Run run) {
    String id = run.operator() + "#" + Timestamps.format(run.at());
    ProposalRequest request = new ProposalRequest(id, null, run.operator(), null, null);
    return switch (transactions.run(
        List.of(requests.insert(run.partition(), request), run.next()))) {
      case Store.Transacted.Done _ -> true;
      case Store.Transacted.Refused refused -> {
        if (refused.of(0).isPresent()) {
          // This run was already requested, by a schedule that was then set to this time again.
          store.write(run.next());
        }
        yield false;
      }
      case Store.Transacted.Contended _ -> false;
    };
  }
}
