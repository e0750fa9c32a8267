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

/** Finds and lists endpoints. Thread-safe. */
public final class Endpoints {
  /** Maximum number of a tenant's endpoints, both modes together (contract, section 8). */
  public static final int QUOTA = 20;

  /** The part of a partition that holds its endpoints. */
  public static final String PART = "webhook-endpoint";

  static final Refusal NOT_FOUND = new Refusal.NotFound("endpoint");

  private final Store store;

  public Endpoints(Store store) {
    this.store = store;
  }

  public Optional<Endpoint> find(Partition partition, EndpointId id) {
    return store.get(EndpointItems.key(partition, id)).map(EndpointItems::endpoint);
  }

  public Optional<Endpoint> find(Caller caller, EndpointId id) {
    return find(caller.partition(), id).filter(endpoint -> caller.sees(endpoint.workspaceId()));
  }

  /**
   * Returns the endpoint whose deliveries the caller may read. A deleted endpoint is returned as
   * long as its deliveries are kept.
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

  /** Returns one page of the endpoints that the caller may see, newest first. */
  public Page<Endpoint> list(Caller caller, PageRequest page) {
    return Page.of(
        all(caller.partition()).stream()
            .filter(endpoint -> caller.sees(endpoint.workspaceId()))
            .toList(),
        endpoint -> endpoint.id().value(),
        page);
  }

  /** Returns the types that at least one endpoint of a partition subscribes to. */
  public Set<DeliveryType> heard(Partition partition) {
    return all(partition).stream()
        .flatMap(endpoint -> endpoint.heard().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns all endpoints of a partition, newest first. The quota bounds their number, so they are
   * read at once.
   */
  List<Endpoint> all(Partition partition) {
    Query query = Query.of(Table.STATE, EndpointItems.partition(partition)).newestFirst();
    List<Item> items = store.query(query).items();
    return items.stream().map(EndpointItems::endpoint).toList();
  }
}
