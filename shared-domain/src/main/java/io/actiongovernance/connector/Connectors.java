package io.actiongovernance.connector;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds and lists the connectors of a tenant (contract, section 5). Thread-safe. */
public final class Connectors {
  /**
   * Maximum number of connectors of a tenant, both modes together, unless the tenant has its own
   * quota.
   */
  public static final int QUOTA = 25;

  static final Refusal NOT_FOUND = new Refusal.NotFound("connector");

  private final Store store;
  private final Listings listings;
  private final ConnectorItems items;

  public Connectors(Store store, Listings listings) {
    this.store = store;
    this.listings = listings;
    this.items = new ConnectorItems(listings);
  }

  /** Returns a listing from which connectors can be made. */
  Optional<Listing> listing(String id) {
    return listings.find(id);
  }

  public Optional<Connector> find(Partition partition, ConnectorId id) {
    return store.get(ConnectorItems.key(partition, id)).map(items::connector);
  }

  /** Returns the key of a connector's item, for callers that read it along with other items. */
  public static Key key(Partition partition, ConnectorId id) {
    return ConnectorItems.key(partition, id);
  }

  /** Reads a connector from the item under its {@link #key}. */
  public Connector read(Item item) {
    return items.connector(item);
  }

  public Optional<Connector> find(Caller caller, ConnectorId id) {
    return find(caller.partition(), id).filter(connector -> caller.sees(connector.workspaceId()));
  }

  /**
   * Returns the connector. If the caller may not see it, the refusal is the same as if it did not
   * exist.
   */
  public Outcome<Connector> retrieve(Caller caller, ConnectorId id) {
    return find(caller, id).map(Outcome::done).orElseGet(() -> Outcome.refused(NOT_FOUND));
  }

  /**
   * Returns the connectors that operators of the workspace may use, newest first: its own and the
   * tenant-wide ones.
   */
  public List<Connector> usable(Partition partition, @Nullable String workspaceId) {
    return usable(all(partition, null), workspaceId);
  }

  /** Returns those of a partition's connectors that operators of the workspace may use. */
  public static List<Connector> usable(List<Connector> all, @Nullable String workspaceId) {
    return all.stream().filter(connector -> connector.servesWorkspace(workspaceId)).toList();
  }

  /** Returns the key of the connectors' roster, for callers that read it along with other items. */
  public static Key rosterKey(Partition partition) {
    return ConnectorItems.rosterKey(partition);
  }

  /** Returns one page of the connectors that the caller may see, newest first. */
  public Page<Connector> list(
      Caller caller,
      @Nullable ConnectorStatus status,
      @Nullable String listingId,
      PageRequest page) {
    List<Connector> matching =
        all(caller.partition(), page.after()).stream()
            .filter(connector -> caller.sees(connector.workspaceId()))
            .filter(connector -> status == null || connector.status() == status)
            .filter(connector -> listingId == null || connector.listingId().equals(listingId))
            .toList();
    boolean more = matching.size() > page.limit();
    List<Connector> shown = more ? matching.subList(0, page.limit()) : matching;
    return new Page<>(shown, more ? shown.getLast().id().value() : null);
  }

  /**
   * Returns all connectors of a partition, newest first. The quota bounds their number, so they are
   * read at once.
   */
  private List<Connector> all(Partition partition, @Nullable String below) {
    List<Connector> connectors = new ArrayList<>();
    Query query = Query.of(Table.STATE, ConnectorItems.partition(partition)).newestFirst();
    Slice slice = store.query(query.below(below));
    slice.items().forEach(item -> connectors.add(items.connector(item)));
    while (slice.more() && !slice.items().isEmpty()) {
      slice = store.query(query.below(slice.items().getLast().key().range()));
      slice.items().forEach(item -> connectors.add(items.connector(item)));
    }
    return connectors;
  }
}
