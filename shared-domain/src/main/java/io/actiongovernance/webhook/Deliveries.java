package io.actiongovernance.webhook;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.webhook.Endpoints.Reader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads deliveries during their retention, even if their endpoint was deleted. Pending deliveries
 * of a deleted endpoint read as failed, because no attempt will be made. Thread-safe.
 */
public final class Deliveries {
  private final Store store;
  private final Endpoints endpoints;
  private final DeliveryData data;
  private final InstantSource clock;

  public Deliveries(Store store, Endpoints endpoints, InstantSource clock) {
    this.store = store;
    this.endpoints = endpoints;
    this.data = new DeliveryData(store);
    this.clock = clock;
  }

  /** Filter of an endpoint's deliveries; null fields match everything. */
  public record Filter(
      @Nullable DeliveryStatus status,
      @Nullable DeliveryType type,
      @Nullable Instant since,
      @Nullable Instant until) {}

  /**
   * A delivery as readers see it.
   *
   * @param status its current status, which takes into account whether its endpoint was deleted
   * @param data the object that it reports, as JSON text
   */
  public record Shown(Delivery delivery, DeliveryStatus status, String data) {}

  public Optional<Shown> find(Caller caller, EndpointId endpoint, DeliveryId id) {
    return endpoints
        .reader(caller, endpoint)
        .flatMap(reader -> find(caller.partition(), endpoint, id).map(each -> show(reader, each)));
  }

  /** Returns one page, newest first; empty if the caller does not see such an endpoint. */
  public Optional<Page<Shown>> list(
      Caller caller, EndpointId endpoint, Filter filter, PageRequest page) {
    return endpoints
        .reader(caller, endpoint)
        .map(reader -> list(caller.partition(), reader, filter, page));
  }

  private Page<Shown> list(Partition partition, Reader reader, Filter filter, PageRequest page) {
    Instant until = filter.until();
    return Listing.page(
        store,
        query(partition, reader, filter)
            .from(from(filter.since()))
            .below(until == null ? null : DeliveryId.PREFIX + Ids.floor(until)),
        page,
        item -> item.key().range(),
        item ->
            Optional.of(DeliveryItems.read(item))
                .filter(each -> filter.type() == null || each.type().equals(filter.type().wire()))
                .filter(each -> filter.status() == null || shown(reader, each) == filter.status())
                .map(each -> show(reader, each)),
        item -> DeliveryData.size(DeliveryItems.read(item)));
  }

  private static Query query(Partition partition, Reader reader, Filter filter) {
    EndpointId endpoint = reader.endpoint();
    DeliveryStatus status = filter.status();
    if (status != null && !reader.deleted()) {
      return Query.of(
          Table.STATE, "by_status", DeliveryItems.byStatus(partition, endpoint, status));
    }
    return Query.of(Table.STATE, DeliveryItems.list(partition, endpoint));
  }

  /** Returns the lowest identifier of deliveries from this instant on, within their retention. */
  String from(@Nullable Instant since) {
    String oldest = Delivery.oldest(clock.instant());
    String wanted = since == null ? oldest : DeliveryId.PREFIX + Ids.floor(since);
    return wanted.compareTo(oldest) < 0 ? oldest : wanted;
  }

  /** Returns some failed deliveries of an endpoint from before this instant, oldest first. */
  Slice failed(Partition partition, EndpointId endpoint, String from, Instant until) {
    return store.query(
        Query.of(
                Table.STATE,
                "by_status",
                DeliveryItems.byStatus(partition, endpoint, DeliveryStatus.FAILED))
            .from(from)
            .below(DeliveryId.PREFIX + Ids.floor(until)));
  }

  Optional<Delivery> find(Partition partition, EndpointId endpoint, DeliveryId id) {
    return store
        .get(DeliveryItems.key(partition, endpoint, id))
        .map(DeliveryItems::read)
        .filter(delivery -> !delivery.over(clock.instant()));
  }

  /** Returns a delivery of an endpoint that exists. */
  Shown show(Delivery delivery) {
    return new Shown(delivery, delivery.status(), data.of(delivery));
  }

  private Shown show(Reader reader, Delivery delivery) {
    return new Shown(delivery, shown(reader, delivery), data.of(delivery));
  }

  private static DeliveryStatus shown(Reader reader, Delivery delivery) {
    return reader.deleted() && delivery.status() == DeliveryStatus.PENDING
        ? DeliveryStatus.FAILED
        : delivery.status();
  }
}
