package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Requests for an operator to propose, either again for an event, or because its schedule is due
 * (contract, section 4). A relay hands stored requests to the proposer. A request that is carried
 * out twice leads to one plan. Thread-safe.
 */
public final class ProposalRequests {
  /** Time for which a request is kept after it was made. */
  private static final Duration KEPT = Duration.ofDays(7);

  private final Store store;
  private final InstantSource clock;

  public ProposalRequests(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Request for an operator to propose.
   *
   * @param id equal for the same request sent again
   * @param event null for a scheduled run
   * @param requestId the HTTP request that brought it; null for a scheduled run
   * @param by who asks for it; null if nobody does
   * @param once key that at most one plan may have, for a request that was put off; otherwise null
   */
  public record ProposalRequest(
      String id,
      @Nullable EventId event,
      OperatorId operator,
      @Nullable RequestId requestId,
      @Nullable Principal by,
      @Nullable String once) {
    /** Creates a request that was not put off. */
    public ProposalRequest(
        String id,
        @Nullable EventId event,
        OperatorId operator,
        @Nullable RequestId requestId,
        @Nullable Principal by) {
      this(id, event, operator, requestId, by, null);
    }
  }

  /** Stores a request. Storing it again changes nothing. */
  public void store(Partition partition, ProposalRequest request) {
    store.write(insert(partition, request));
  }

  /** Returns the write that stores a request; refused if the request exists. */
  Write insert(Partition partition, ProposalRequest request) {
    EventId event = request.event();
    RequestId requestId = request.requestId();
    return Write.insert(
        Item.at(key(partition, request.id()))
            .with("kind", "proposal_request")
            .with("id", request.id())
            .with("partition", partition.key())
            .with("event_id", event == null ? null : event.value())
            .with("operator_id", request.operator().value())
            .with("request_id", requestId == null ? null : requestId.value())
            .with("by", request.by() == null ? null : Json.write(request.by()))
            .with("once", request.once())
            .expires(clock.instant().plus(KEPT))
            .build());
  }

  /** Returns the request, if it is still kept. */
  public Optional<ProposalRequest> find(Partition partition, String id) {
    return store
        .get(key(partition, id))
        .map(
            item ->
                new ProposalRequest(
                    id,
                    item.has("event_id") ? new EventId(item.text("event_id")) : null,
                    new OperatorId(item.text("operator_id")),
                    item.has("request_id") ? new RequestId(item.text("request_id")) : null,
                    item.has("by") ? Json.read(item.text("by"), Principal.class) : null,
                    item.textOrNull("once")));
  }

  private static Key key(Partition partition, String id) {
    return Key.single(Table.STATE, partition.key("proposal-request#" + id));
  }
}
