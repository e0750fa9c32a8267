package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;

final class EndpointItems {
  static final String VERSION = "version";
  static final String COUNT = "held";

  private EndpointItems() {}

  static String partition(Partition partition) {
    return partition.key(Endpoints.PART);
  }

  static Key key(Partition partition, EndpointId id) {
    return new Key(Table.STATE, partition(partition), id.value());
  }

  /** Key of the row that remains of a deleted endpoint, which owns its deliveries. */
  static Key deletedKey(Partition partition, EndpointId id) {
    return new Key(Table.STATE, partition.key("webhook-endpoint-deleted"), id.value());
  }

  /** Key under which an active endpoint reserves its URL. */
  static Key urlKey(Endpoint endpoint) {
    return new Key(
        Table.STATE, endpoint.partition().key("webhook-url"), EndpointUrl.place(endpoint.url()));
  }

  /** Key of the count of a tenant's endpoints, both modes together. */
  static Key countKey(TenantId tenant) {
    return new Key(Table.STATE, tenant.value() + "#quota", "webhook_endpoints");
  }

  static Item item(Endpoint endpoint) {
    return Item.at(key(endpoint.partition(), endpoint.id()))
        .with("kind", "webhook_endpoint")
        .with("id", endpoint.id().value())
        .with("partition", endpoint.partition().key())
        .with("status", endpoint.status().wire())
        .with(VERSION, endpoint.version())
        .with("updated_at", Timestamps.format(endpoint.updatedAt()))
        .with("doc", Json.write(endpoint))
        .build();
  }

  static Endpoint endpoint(Item item) {
    return Json.read(item.text("doc"), Endpoint.class);
  }

  static Item deleted(Endpoint endpoint, Instant until) {
    return Item.at(deletedKey(endpoint.partition(), endpoint.id()))
        .with("workspace", endpoint.workspaceId())
        .expires(until)
        .build();
  }

  static Item urlItem(Endpoint endpoint) {
    return Item.at(urlKey(endpoint)).with("id", endpoint.id().value()).build();
  }
}
