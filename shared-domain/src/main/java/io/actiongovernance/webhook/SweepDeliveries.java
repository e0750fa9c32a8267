package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import io.actiongovernance.webhook.EndpointHealth.Health;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has attempts made that are due: each when its timer fires, and all that are overdue, since a
 * message or a timer was lost or somebody died, when it sweeps. The latter is the safety net, not
 * the path. Thread-safe.
 */
public final class SweepDeliveries {
  private static final Logger LOG = LoggerFactory.getLogger(SweepDeliveries.class);

  /** Slices of a hundred that one sweep takes of a shard at most. */
  private static final int MOST_SLICES = 10;

  private final Store store;
  private final EndpointHealth health;
  private final Lanes lanes;
  private final InstantSource clock;

  public SweepDeliveries(
      Store store, EndpointHealth health, DeliveryQueue queue, InstantSource clock) {
    this.store = store;
    this.health = health;
    this.lanes = new Lanes(queue);
    this.clock = clock;
  }

  /**
   * Looks at what is due, oldest first.
   *
   * @return how many attempts it has had made
   */
  public int sweep() {
    Map<EndpointId, Health> known = new HashMap<>();
    int sent = 0;
    for (int shard = 0; shard < DeliveryItems.DUE_SHARDS; shard++) {
      Query due =
          Query.of(Table.STATE, "due_shard", DeliveryItems.dueShard(shard))
              .below(Timestamps.format(clock.instant()));
      String from = null;
      boolean more = true;
      for (int taken = 0; more && taken < MOST_SLICES; taken++) {
        Slice slice = store.query(due.from(from));
        for (Item item : slice.items()) {
          sent += send(item, known) ? 1 : 0;
          from = item.text(DeliveryItems.DUE);
        }
        more = slice.more();
      }
    }
    return sent;
  }

  /**
   * A delivery's timer has fired.
   *
   * @return when it is due, if it came too early
   */
  public Optional<Instant> fired(Partition partition, EndpointId endpoint, DeliveryId id) {
    Optional<Item> item =
        store
            .get(DeliveryItems.key(partition, endpoint, id))
            .filter(each -> each.has(DeliveryItems.DUE));
    if (item.isEmpty()) {
      return Optional.empty();
    }
    Instant next = DeliveryItems.read(item.get()).nextAttemptAt();
    if (next != null && clock.instant().isBefore(next.minus(WebhookTimes.EARLY))) {
      return Optional.of(next);
    }
    send(item.get(), new HashMap<>());
    return Optional.empty();
  }

  private boolean send(Item item, Map<EndpointId, Health> known) {
    try {
      Delivery delivery = DeliveryItems.read(item);
      Health now =
          known.computeIfAbsent(
              delivery.endpointId(), endpoint -> health.of(delivery.partition(), endpoint));
      Instant later = clock.instant().plus(Lanes.recheck(now));
      if (!store
          .write(DeliveryItems.postpone(delivery, item.text(DeliveryItems.DUE), later))
          .done()) {
        return false;
      }
      lanes.send(delivery, now, later);
      return true;
    } catch (RuntimeException e) {
      // One that fails must not keep the others from being looked at; it comes due again.
      LOG.atError().setCause(e).addKeyValue("id", item.key().range()).log("Could not send it on");
      return false;
    }
  }
}
