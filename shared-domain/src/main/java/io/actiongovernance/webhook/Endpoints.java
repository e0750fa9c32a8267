package io.actiongovernance.webhook;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The endpoints there are. Thread-safe. */
public final class Endpoints {
  /** Endpoints of both modes a tenant may have (contract, section 8). */
  public static final int QUOTA = 20;

  /** The part of a partition that holds its endpoints. */
  public static final String PART = "webhook-endpoint";

  /** The caller sees no such endpoint. */
  static final Refusal NOT_FOUND = new Refusal.NotFound("endpoint");

  private final Store store;

  public Endpoints(Store store) {
    this.store = store;
  }

  public Optional<Endpoint> find(Partition partition, EndpointId id) {
    return store.get(EndpointItems.key(partition, id)).map(EndpointItems::endpoint);
  }

  /** The endpoint, if the caller may see it. */
  public Optional<Endpoint> find(Caller caller, EndpointId id) {
    return find(caller.partition(), id).filter(endpoint -> caller.sees(endpoint.workspaceId()));
  }

  /**
   * Whose deliveries the caller may read: an endpoint's, and for as long as they are kept a deleted
   * one's.
   */
  public Optional<Reader> reader(Caller caller, EndpointId id) {
    Optional<Endpoint> endpoint = find(caller.partition(), id);
    if (endpoint.isPresent()) {
      return endpoint
          .filter(each -> caller.sees(each.workspaceId()))
          .map(each -> new Reader(id, false));
    }
    return store
        .get(EndpointItems.deletedKey(caller.partition(), id))
        .filter(item -> caller.sees(item.textOrNull("workspace")))
        .map(item -> new Reader(id, true));
  }

  /** Permission to read the deliveries of an endpoint. */
  public record Reader(EndpointId endpoint, boolean deleted) {}

  /** One page of what the caller may see, newest first. */
  public Page<Endpoint> list(Caller caller, PageRequest page) {
    return Page.of(
        all(caller.partition()).stream()
            .filter(endpoint -> caller.sees(endpoint.workspaceId()))
            .toList(),
        endpoint -> endpoint.id().value(),
        page);
  }

  /** The types that some endpoint of a partition hears of. */
  public Set<DeliveryType> heard(Partition partition) {
    return all(partition).stream()
        .flatMap(endpoint -> endpoint.heard().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** All of a partition, newest first: no more than the quota, so they are read at once. */
  List<Endpoint> all(Partition partition) {
    Query query = Query.of(Table.STATE, EndpointItems.partition(partition)).newestFirst();
    List<Item> items = store.query(query).items();
    return items.stream().map(EndpointItems::endpoint).toList();
  }
}
