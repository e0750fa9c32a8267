package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Events for which an operator proposes in a later hour, because its model has no requests left in
 * this one. Each event waits in an item of its own, in the index of due schedules. The number of
 * waiting events determines the hour of the next one, so that no hour gets more than it may. An
 * event that is parked again, or whose trigger is delivered again, waits only once. Thread-safe.
 */
public final class ParkedProposals {
  private static final String KIND = "parked_proposal";
  private static final String WAITING = "waiting";

  private final Store store;
  private final Transactions transactions;
  private final ProposalRequests requests;
  private final InstantSource clock;

  public ParkedProposals(
      Store store, Transactions transactions, ProposalRequests requests, InstantSource clock) {
    this.store = store;
    this.transactions = transactions;
    this.requests = requests;
    this.clock = clock;
  }

  /**
   * Parks an event, so that the operator proposes later.
   *
   * @param request the request to be made then, with its {@code once} key
   * @param perHour how many times the operator's model may be asked in an hour
   */
  void park(Operator operator, ProposalRequest request, int perHour) {
    Partition partition = operator.partition();
    Key counter = counter(partition, operator.id());
    long before = store.get(counter).map(item -> item.whole(WAITING, 0)).orElse(0L);
    Instant at =
        clock.instant().truncatedTo(ChronoUnit.HOURS).plus(1 + before / perHour, ChronoUnit.HOURS);
    EventId event = request.event();
    RequestId requestId = request.requestId();
    Principal by = request.by();
    Item row =
        DueIndex.SCHEDULES
            .enter(
                Item.at(Key.single(Table.STATE, partition.key("parked-proposal#" + request.id()))),
                partition,
                request.id(),
                at)
            .with("kind", KIND)
            .with("id", request.id())
            .with("partition", partition.key())
            .with("event_id", event == null ? null : event.value())
            .with("operator_id", operator.id().value())
            .with("request_id", requestId == null ? null : requestId.value())
            .with("by", by == null ? null : Json.write(by))
            .with("once", request.once())
            .build();
    // A refusal means that the event is already waiting.
    transactions.run(
        List.of(
            Write.insert(row), Write.update(counter, Condition.always(), Change.add(WAITING, 1))));
  }

  /** Returns whether a due row is a parked event. */
  static boolean isOne(Item row) {
    return KIND.equals(row.textOrNull("kind"));
  }

  /** Requests a proposal whose hour has come; returns false if that was already done. */
  boolean release(Item row) {
    Partition partition = Partition.parse(row.text("partition"));
    OperatorId operator = new OperatorId(row.text("operator_id"));
    ProposalRequest request =
        new ProposalRequest(
            row.text("id") + "#" + Timestamps.format(DueIndex.at(row)),
            new EventId(row.text("event_id")),
            operator,
            row.has("request_id") ? new RequestId(row.text("request_id")) : null,
            row.has("by") ? Json.read(row.text("by"), Principal.class) : null,
            row.text("once"));
    return transactions
        .run(
            List.of(
                requests.insert(partition, request),
                Write.delete(row.key(), DueIndex.unmoved(row)),
                Write.update(
                    counter(partition, operator), Condition.always(), Change.add(WAITING, -1))))
        .done();
  }

  private static Key counter(Partition partition, OperatorId operator) {
    return Key.single(Table.STATE, partition.key("parked-proposals#" + operator));
  }
}
