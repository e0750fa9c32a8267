package io.actiongovernance.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event as items, each alone in its partition: the event itself, inserted once and never
 * changed, so that the relay sees one fact of it; its payload, when that is large; and its plans,
 * in a small item that plan creation adds to.
 */
final class EventItems {
  /** Payloads of more bytes are items of their own. */
  static final int LARGE = 4096;

  static final String PLANS = "plan_ids";
  private static final String PAYLOAD = "payload";
  private static final String POSITION = "position";

  private EventItems() {}

  static Key key(Partition partition, EventId id) {
    return Key.single(Table.EVENTS, partition.key("event") + "#" + id);
  }

  static Key payloadKey(Partition partition, EventId id) {
    return Key.single(Table.EVENTS, partition.key("event-payload") + "#" + id);
  }

  static Key plansKey(Partition partition, EventId id) {
    return Key.single(Table.EVENTS, partition.key("event-plans") + "#" + id);
  }

  /**
   * Where it is noted that a plan of the event has touched the entity. An entity key may be longer
   * than a range key may be.
   */
  static Key touchedKey(Partition partition, EventId id, String entityKey) {
    return new Key(
        Table.EVENTS, partition.key("event-touched") + "#" + id, CanonicalJson.sha256(entityKey));
  }

  static int bytes(String payload) {
    return payload.getBytes(UTF_8).length;
  }

  /** The event itself; {@code payload} is null when it is an item of its own. */
  static Item event(Event event, @Nullable String payload) {
    return Item.at(key(event.partition(), event.id()))
        .with("kind", "event")
        .with("id", event.id().value())
        .with("partition", event.partition().key())
        .with("reseller_id", event.resellerId())
        .with("workspace_id", event.workspaceId())
        .with("source", event.source())
        .with("event_type", event.eventType())
        .with("correlation_id", event.correlationId().value())
        .with("agent_id", event.agentId())
        .with("session_id", event.sessionId())
        .with(POSITION, event.position())
        .with("created_at", event.createdAt().toEpochMilli())
        .with("request_id", event.requestId().value())
        .with(PAYLOAD, payload)
        .with(Table.EXPIRES, LogItems.expires(event.createdAt()))
        .build();
  }

  static Item payload(Partition partition, EventId id, String payload, Instant now) {
    return Item.at(payloadKey(partition, id))
        .with(PAYLOAD, payload)
        .with(Table.EXPIRES, LogItems.expires(now))
        .build();
  }

  static Item touched(Key key, long position, Instant eventCreatedAt) {
    return Item.at(key)
        .with(POSITION, position)
        .with(Table.EXPIRES, LogItems.expires(eventCreatedAt))
        .build();
  }

  /** The position of an event, or of the first touch of an entity. */
  static long position(Item item) {
    return item.whole(POSITION, 0);
  }

  /** Whether the payload is on the event's own item. */
  static boolean holdsPayload(Item event) {
    return event.has(PAYLOAD);
  }

  /**
   * @param payload the item that has the payload: the event's own, or that of the payload
   * @param plans the item of its plans, or null while there is none
   */
  static Event event(Partition partition, Item item, Item payload, @Nullable Item plans) {
    return new Event(
        new EventId(item.text("id")),
        partition,
        item.textOrNull("reseller_id"),
        item.textOrNull("workspace_id"),
        item.text("source"),
        item.text("event_type"),
        new CorrelationId(item.text("correlation_id")),
        Json.read(payload.text(PAYLOAD)),
        item.textOrNull("agent_id"),
        item.textOrNull("session_id"),
        position(item),
        plans == null ? List.of() : plans(plans),
        Instant.ofEpochMilli(item.whole("created_at", 0)),
        new RequestId(item.text("request_id")));
  }

  /** Identifiers sort by time of creation. */
  private static List<PlanId> plans(Item plans) {
    return plans.texts(PLANS).stream().sorted().map(PlanId::new).toList();
  }
}
