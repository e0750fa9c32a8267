package io.actiongovernance.event;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Reach;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A tenant's log over a store, with its time and identifiers: what tests of events begin with. */
final class EventFixture {
  final TestTime time = new TestTime();
  final Ids ids;
  final Store store;
  final Partition partition;
  final Log envelopes;
  final Log links;
  final EventLog log;
  final EventList list;

  /**
   * @param random differs between fixtures that share a store
   */
  EventFixture(Store store, RandomGenerator random) {
    this.ids = new Ids(time, random);
    this.store = store;
    this.partition = new Partition(TenantId.next(ids), Mode.LIVE);
    this.envelopes = Log.of(partition, Log.Kind.ENVELOPES);
    this.links = Log.of(partition, Log.Kind.LINKS);
    this.log = new EventLog(store, time, time);
    this.list = new EventList(store, time, time);
  }

  EventFixture(Store store) {
    this(store, new SplittableRandom());
  }

  /** The log as another process sees it, through another store over the same data. */
  EventLog logOver(Store other) {
    return new EventLog(other, time, time);
  }

  NewEvent envelope(String source, String type, @Nullable String workspaceId, String payload) {
    return new NewEvent(
        EventId.next(ids),
        partition,
        null,
        workspaceId,
        source,
        type,
        CorrelationId.next(ids),
        Json.read(payload),
        null,
        null,
        RequestId.next(ids),
        new Principal(Principal.Type.KEY, KeyId.next(ids).value(), "shop", null),
        null);
  }

  NewEvent envelope() {
    return envelope("shop", "order.created", null, "{}");
  }

  Event append() {
    return log.append(envelope());
  }

  EventQuery query(Order order, EventFilter filter) {
    return new EventQuery(partition, Reach.WHOLE, filter, order, null, null);
  }

  EventQuery all(Order order) {
    return query(order, EventFilter.NONE);
  }

  /** The events of all pages, and the cursor of the last one. */
  Listing everything(EventQuery query, int limit, @Nullable EventCursor from) {
    List<Logged> events = new ArrayList<>();
    EventCursor cursor = from;
    while (true) {
      EventsPage page = list.list(query, limit, cursor);
      page.items().forEach(listed -> events.add(listed.event()));
      cursor = page.next();
      if (!page.more()) {
        return new Listing(events, cursor);
      }
    }
  }

  /** What a list gave in all. */
  record Listing(List<Logged> events, EventCursor end) {
    List<EventId> ids() {
      return events.stream().map(Logged::id).toList();
    }
  }

  /** The identifiers of all events in log order. */
  List<EventId> listed() {
    return everything(all(Order.ASC), 100, null).ids();
  }

  static EventFilter filter(
      @Nullable String type,
      @Nullable String source,
      @Nullable String workspaceId,
      @Nullable String entity) {
    return new EventFilter(type == null ? null : Glob.parse(type), source, workspaceId, entity);
  }
}
