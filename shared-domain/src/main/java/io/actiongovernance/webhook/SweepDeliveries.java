package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.FairScheduler;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts due attempts. It starts each attempt when its timer fires, and all overdue ones when it
 * sweeps, after a message or a timer was lost or a process died. Sweeping is the safety net, not
 * the normal path. Thread-safe.
 */
public final class SweepDeliveries {
  private static final Logger LOG = LoggerFactory.getLogger(SweepDeliveries.class);

  private final Store store;
  private final FairScheduler turns;
  private final DestinationHealth health;
  private final Lanes lanes;
  private final InstantSource clock;

  public SweepDeliveries(
      Store store, DestinationHealth health, DeliveryQueue queue, InstantSource clock) {
    this.store = store;
    this.turns = new FairScheduler(store, clock);
    this.health = health;
    this.lanes = new Lanes(queue);
    this.clock = clock;
  }

  /**
   * Sweeps a shard, with tenants taking turns.
   *
   * @return number of attempts started
   */
  public int sweep(int shard) {
    Map<DestinationId, Health> known = new HashMap<>();
    return turns.sweep(DueIndex.DELIVERIES, shard, item -> send(item, known)).hits();
  }

  /**
   * Handles a delivery's timer that has fired.
   *
   * @return when the delivery is due, if the timer fired too early
   */
  public Optional<Instant> fired(Partition partition, DestinationId to, DeliveryId id) {
    Optional<Item> item = store.get(DeliveryItems.key(partition, to, id)).filter(DueIndex::isIn);
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

  private boolean send(Item item, Map<DestinationId, Health> known) {
    try {
      Delivery delivery = DeliveryItems.read(item);
      Health now = known.computeIfAbsent(delivery.to(), _ -> health.of(delivery.destination()));
      Instant later = clock.instant().plus(Lanes.recheck(now));
      if (!store.write(DeliveryItems.postpone(delivery, item, later)).done()) {
        return false;
      }
      lanes.send(delivery, now, later);
      return true;
    } catch (RuntimeException e) {
      // A failing item must not keep the others from being handled. It becomes due again.
      LOG.atError().setCause(e).addKeyValue("id", item.key().range()).log("Could not send it on");
      return false;
    }
  }
}
