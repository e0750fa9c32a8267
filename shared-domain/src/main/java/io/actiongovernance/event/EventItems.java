package io.actiongovernance.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Items of an event, each alone in its partition. The event itself is inserted once and never
 * changed, so that the relay reports it as one fact. A large payload has its own item. The event's
 * outcome is in an item to which creating a plan adds.
 */
final class EventItems {
  /** Size in bytes above which a payload has its own item. */
  static final int LARGE = 4096;

  /**
   * Retention of an event's outcome, from its latest addition. It is long, because the event's
   * plans outlive the event.
   */
  private static final Duration PLANS_KEPT = Duration.ofDays(365);

  static final String PLANS = "plan_ids";
  private static final String PROPOSED = "proposed#";
  private static final String REFUSED = "refused";
  private static final String TOUCHED = "touched#";
  private static final String PAYLOAD = "payload";
  private static final String POSITION = "position";
  private static final String TRACE = "trace";

  private EventItems() {}

  static Key key(Partition partition, EventId id) {
    return Key.single(Table.EVENTS, partition.key("event") + "#" + id);
  }

  static Key payloadKey(Partition partition, EventId id) {
    return Key.single(Table.EVENTS, partition.key("event-payload") + "#" + id);
  }

  /**
   * Returns the key of the event's outcome: the ids of its plans, the result of each proposal that
   * may become at most one plan, and the first touch of each entity. Each of these has its own
   * attribute, because conditions refer to it. All additions of a transaction are one write.
   *
   * <p>A plan adds 30 bytes, or some 70 if it may be the only one. Each of its at most fifty
   * entities that no other plan has touched adds 45. Usually that is 0.15 KB, at most 2.4 KB. An
   * operator proposes once, so the item stays small unless an agent proposes repeatedly for one
   * event. The 400 KB of an item hold thousands of plans, and 8,000 entities.
   */
  static Key plansKey(Partition partition, EventId id) {
    return Key.single(Table.EVENTS, partition.key("event-plans") + "#" + id);
  }

  static Change touched(String entityKey, long position) {
    return Change.set(TOUCHED + EventPlans.entity(entityKey), position);
  }

  /** Records the plan of a proposal that may become at most one plan. */
  static Change proposed(String once, PlanId planId) {
    return Change.set(PROPOSED + once, planId.value());
  }

  /** Records that a proposal that may become at most one plan was refused. */
  static Change refused(String once) {
    return Change.set(PROPOSED + once, REFUSED);
  }

  /**
   * Returns the single write that adds to the outcome of an event.
   *
   * @param firsts each must be the first of its name, or the write is refused
   * @param more added without such a condition
   */
  static Write came(
      Partition partition, EventId id, Instant now, List<Change> firsts, Change... more) {
    List<Change> changes = new ArrayList<>(firsts);
    changes.addAll(List.of(more));
    changes.add(Change.set(Table.EXPIRES, now.plus(PLANS_KEPT).getEpochSecond()));
    return Write.update(
        plansKey(partition, id),
        new Condition.And(firsts.stream().map(first -> Condition.lacks(first.name())).toList()),
        changes);
  }

  static int bytes(String payload) {
    return payload.getBytes(UTF_8).length;
  }

  /** Returns the event's item. The {@code payload} is null if it has its own item. */
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
        .with("ingested_by", Json.write(event.ingestedBy()))
        .with(TRACE, event.trace() == null ? null : event.trace().wire())
        .packed(PAYLOAD, payload)
        .with(Table.EXPIRES, LogItems.expires(event.createdAt()))
        .build();
  }

  static Item payload(Partition partition, EventId id, String payload, Instant now) {
    return Item.at(payloadKey(partition, id))
        .packed(PAYLOAD, payload)
        .with(Table.EXPIRES, LogItems.expires(now))
        .build();
  }

  static boolean holdsPayload(Item event) {
    return event.has(PAYLOAD);
  }

  /**
   * @param payload the item that has the payload: the event's own item or the payload's
   * @param plans the item of the event's outcome, or null if there is none yet
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
        item.whole(POSITION, 0),
        plans == null ? EventPlans.NONE : plans(plans),
        Instant.ofEpochMilli(item.whole("created_at", 0)),
        new RequestId(item.text("request_id")),
        Json.read(item.text("ingested_by"), Principal.class),
        TraceParent.of(item.textOrNull(TRACE)));
  }

  static EventPlans plans(Item item) {
    Map<String, EventPlans.Earlier> earlier = new HashMap<>();
    Map<String, Long> touched = new HashMap<>();
    for (String name : item.attributes().keySet()) {
      if (name.startsWith(PROPOSED)) {
        earlier.put(name.substring(PROPOSED.length()), earlier(item.text(name)));
      } else if (name.startsWith(TOUCHED)) {
        touched.put(name.substring(TOUCHED.length()), item.whole(name, 0));
      }
    }
    // Identifiers sort by time of creation.
    List<PlanId> ids = item.texts(PLANS).stream().sorted().map(PlanId::new).toList();
    return new EventPlans(ids, earlier, touched);
  }

  private static EventPlans.Earlier earlier(String proposed) {
    return new EventPlans.Earlier(proposed.equals(REFUSED) ? null : new PlanId(proposed));
  }
}
