package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Bodies;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Storage of connectors. Thread-safe. */
final class ConnectorItems {
  static final String NAME = "name";
  static final String STATUS = "status";
  static final String STATUS_REASON = "status_reason";
  static final String CREDENTIALS = "credentials";
  static final String CONFIG = "doc";
  static final String LISTED = "listed";
  static final String LEFT_OUT = "left_out";
  static final String VERSION = "version";
  static final String UPDATED = "updated_at";
  static final String TESTED = "tested_at";
  static final String FAILING = "failing";
  static final String COUNT = "held";

  /** Hash of the state of the authorisation in progress; removed when the state is used. */
  static final String AUTHORIZING = "authorizing";

  /** Time in milliseconds until which only one call renews the access token. */
  static final String RENEWING = "renewing_until";

  private final Listings listings;
  private final Bodies<Item, Connector> bodies = new Bodies<>();

  ConnectorItems(Listings listings) {
    this.listings = listings;
  }

  static String partition(Partition partition) {
    return partition.key("connector");
  }

  static Key key(Partition partition, ConnectorId id) {
    return new Key(Table.STATE, partition(partition), id.value());
  }

  /** Returns the key of a taken name. The item's {@code id} names the connector that has it. */
  static Key nameKey(Partition partition, String name) {
    return new Key(Table.STATE, partition.key("connector-name"), name);
  }

  /** Returns the key of the count of a tenant's connectors, both modes together. */
  static Key countKey(TenantId tenant) {
    return new Key(Table.STATE, tenant.value() + "#quota", "connectors");
  }

  /** Returns the key of a partition's roster of connectors ({@link ConnectorRoster}). */
  static Key rosterKey(Partition partition) {
    return Key.single(Table.STATE, partition.key("connector_roster"));
  }

  /** Returns the accepted tools of its server, in stored form; null if there are none. */
  static @Nullable String listed(Connector connector) {
    return connector.listed().isEmpty() ? null : Json.write(connector.listed());
  }

  /**
   * Returns, in stored form, the tools that were left out of its server's listing; null if there
   * are none.
   */
  static @Nullable String leftOut(Connector connector) {
    return connector.leftOut().isEmpty() ? null : Json.write(connector.leftOut());
  }

  static Item item(Connector connector) {
    Partition partition = connector.partition();
    return Item.at(key(partition, connector.id()))
        .with("kind", "connector")
        .with("id", connector.id().value())
        .with("partition", partition.key())
        .with(NAME, connector.name())
        .with("listing", connector.listingId())
        .with("workspace", connector.workspaceId())
        .with(STATUS, connector.status().wire())
        .with(STATUS_REASON, connector.statusReason())
        .with(CREDENTIALS, Json.write(connector.credentials()))
        .packed(CONFIG, Json.write(connector.config()))
        .packed(LISTED, listed(connector))
        .packed(LEFT_OUT, leftOut(connector))
        .with(VERSION, connector.version())
        .with("created_at", Timestamps.format(connector.createdAt()))
        .with(UPDATED, Timestamps.format(connector.updatedAt()))
        .with(TESTED, connector.testedAt() == null ? null : Timestamps.format(connector.testedAt()))
        .build();
  }

  Connector connector(Item item) {
    return bodies
        .find(item.key(), item)
        .orElseGet(
            () -> {
              Connector connector = read(item);
              bodies.keep(item, item, connector);
              return connector;
            });
  }

  private Connector read(Item item) {
    Listing listing =
        listings
            .find(item.text("listing"))
            .orElseThrow(() -> new IllegalStateException("No listing " + item.text("listing")));
    ObjectNode config = (ObjectNode) Json.read(item.text(CONFIG));
    String stored = item.textOrNull(LISTED);
    List<McpTool> listed = stored == null ? List.of() : List.of(Json.read(stored, McpTool[].class));
    String storedLeftOut = item.textOrNull(LEFT_OUT);
    List<LeftOutTool> leftOut =
        storedLeftOut == null ? List.of() : List.of(Json.read(storedLeftOut, LeftOutTool[].class));
    return new Connector(
        new ConnectorId(item.text("id")),
        Partition.parse(item.text("partition")),
        item.text(NAME),
        listing,
        item.textOrNull("workspace"),
        ConnectorStatus.parse(item.text(STATUS)).orElseThrow(),
        item.textOrNull(STATUS_REASON),
        config,
        Json.read(item.text(CREDENTIALS), SealedCredentials.class),
        listed,
        leftOut,
        tools(listing, config, listed),
        item.has(FAILING),
        item.whole(VERSION, 0),
        Timestamps.read(item.text("created_at")),
        Timestamps.read(item.text(UPDATED)),
        instantOrNull(item.textOrNull(TESTED)));
  }

  private static List<Tool> tools(Listing listing, ObjectNode config, List<McpTool> listed) {
    if (listing.engine() == Engine.MCP) {
      return McpConfig.tools(config, listed);
    }
    return listing.toolsInConfig()
        ? new Fields(config, "config", false)
            .list("tools", 1, ToolReader.MOST_TOOLS).stream().map(ToolReader::read).toList()
        : listing.tools();
  }

  private static @Nullable Instant instantOrNull(@Nullable String text) {
    return text == null ? null : Timestamps.read(text);
  }
}
