package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Storage of deliveries: one item for each in the partition of its destination, which is also in
 * the sweeper's index while pending. Every change has a condition that lets it happen only once.
 */
final class DeliveryItems {
  private static final String STATUS = "status";
  private static final String ATTEMPT = "attempt";
  private static final String ATTEMPTS = "attempts";
  private static final String ROUND = "round_began";
  private static final String NEXT = "next_attempt_at";
  private static final String LEASE = "leased_until";
  private static final String REDELIVERED = "redelivered_by";
  private static final String BY_STATUS = "by_status";
  private static final String TRACE = "trace";

  private DeliveryItems() {}

  static String list(Partition partition, DestinationId to) {
    return partition.key("webhook-delivery#" + to.value());
  }

  static String byStatus(Partition partition, DestinationId to, DeliveryStatus status) {
    return list(partition, to) + "#" + status.wire();
  }

  static Key key(Partition partition, DestinationId to, DeliveryId id) {
    return new Key(Table.STATE, list(partition, to), id.value());
  }

  /**
   * Inserts a pending delivery.
   *
   * @param due when the sweeper looks at it, in case its message is lost
   */
  static Write insert(Delivery delivery, Instant due) {
    Partition partition = delivery.partition();
    DestinationId to = delivery.to();
    DeliveryId id = delivery.id();
    return Write.insert(
        DueIndex.DELIVERIES
            .enter(Item.at(key(delivery)), partition, id.value(), due)
            .with("partition", partition.key())
            .with("endpoint", to.value())
            .with("type", delivery.type())
            .with("test", delivery.test() ? "true" : null)
            .with("correlation_id", delivery.correlationId())
            .with(TRACE, delivery.trace() == null ? null : delivery.trace().wire())
            .packed("data", Json.write(delivery.data()))
            .with(STATUS, delivery.status().wire())
            .with(ATTEMPT, delivery.attempt())
            .with(ROUND, delivery.roundBegan())
            .with(NEXT, millis(delivery.nextAttemptAt()))
            .with("ordered", id.value())
            .with(BY_STATUS, byStatus(partition, to, delivery.status()))
            .expires(delivery.createdAt().plus(Delivery.RETENTION))
            .build());
  }

  static Write begin(Delivery delivery, Instant leaseUntil) {
    return Write.update(
        key(delivery),
        Condition.and(
            pendingAt(delivery),
            delivery.leaseUntil() == null
                ? Condition.lacks(LEASE)
                : Condition.equal(LEASE, delivery.leaseUntil().toEpochMilli())),
        Change.set(ATTEMPT, delivery.attempt() + 1L),
        Change.set(LEASE, leaseUntil.toEpochMilli()),
        due(delivery, leaseUntil));
  }

  /** Records an attempt after which another one follows. */
  static Write retry(Delivery delivery, List<Delivery.Attempt> attempts, Instant next) {
    return Write.update(
        key(delivery),
        pendingAt(delivery),
        Change.set(ATTEMPTS, Json.write(attempts)),
        Change.set(NEXT, next.toEpochMilli()),
        due(delivery, next),
        Change.remove(LEASE));
  }

  static Write end(Delivery delivery, List<Delivery.Attempt> attempts, DeliveryStatus status) {
    List<Change> changes = new ArrayList<>();
    changes.add(Change.set(STATUS, status.wire()));
    changes.add(Change.set(BY_STATUS, byStatus(delivery.partition(), delivery.to(), status)));
    changes.add(Change.set(ATTEMPTS, Json.write(attempts)));
    changes.add(Change.remove(NEXT));
    changes.add(Change.remove(LEASE));
    changes.addAll(DueIndex.leave());
    return Write.update(key(delivery), pendingAt(delivery), changes);
  }

  /** Begins another round of a delivery that has ended. */
  static Write redeliver(Delivery delivery, String by, Instant next, Instant due) {
    List<Change> changes =
        new ArrayList<>(
            DueIndex.DELIVERIES.enter(delivery.partition(), delivery.id().value(), due));
    changes.add(Change.set(STATUS, DeliveryStatus.PENDING.wire()));
    changes.add(
        Change.set(
            BY_STATUS, byStatus(delivery.partition(), delivery.to(), DeliveryStatus.PENDING)));
    changes.add(Change.set(ROUND, delivery.attempt()));
    changes.add(Change.set(NEXT, next.toEpochMilli()));
    changes.add(Change.set(REDELIVERED, by));
    return Write.update(
        key(delivery),
        Condition.and(
            Condition.equal(STATUS, delivery.status().wire()),
            Condition.equal(ATTEMPT, delivery.attempt())),
        changes);
  }

  /** Postpones the sweeper's next look. Only one of several sweepers succeeds. */
  static Write postpone(Delivery delivery, Item found, Instant later) {
    return Write.update(
        key(delivery),
        Condition.and(
            Condition.equal(STATUS, DeliveryStatus.PENDING.wire()), DueIndex.unmoved(found)),
        due(delivery, later));
  }

  static Delivery read(Item item) {
    String attempts = item.textOrNull(ATTEMPTS);
    return new Delivery(
        new DeliveryId(item.key().range()),
        Partition.parse(item.text("partition")),
        DestinationId.of(item.text("endpoint")),
        item.text("type"),
        item.has("test"),
        item.text("correlation_id"),
        Json.read(item.text("data"), Delivery.Data.class),
        DeliveryStatus.parse(item.text(STATUS)).orElseThrow(),
        (int) item.whole(ATTEMPT, 0),
        (int) item.whole(ROUND, 0),
        attempts == null ? List.of() : List.of(Json.read(attempts, Delivery.Attempt[].class)),
        instantOrNull(item, NEXT),
        instantOrNull(item, LEASE),
        item.textOrNull(REDELIVERED),
        TraceParent.of(item.textOrNull(TRACE)));
  }

  private static Condition pendingAt(Delivery delivery) {
    return Condition.and(
        Condition.equal(STATUS, DeliveryStatus.PENDING.wire()),
        Condition.equal(ATTEMPT, delivery.attempt()));
  }

  private static Key key(Delivery delivery) {
    return key(delivery.partition(), delivery.to(), delivery.id());
  }

  private static Change due(Delivery delivery, Instant at) {
    return DueIndex.move(delivery.partition(), delivery.id().value(), at);
  }

  private static long millis(@Nullable Instant instant) {
    if (instant == null) {
      throw new IllegalArgumentException("A pending delivery has a next attempt");
    }
    return instant.toEpochMilli();
  }

  private static @Nullable Instant instantOrNull(Item item, String name) {
    return item.has(name) ? Instant.ofEpochMilli(item.whole(name, 0)) : null;
  }
}
