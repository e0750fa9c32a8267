package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.always;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The single-flight locks: at most one holder per entity of a tenant and mode, and the plans that
 * wait for it, oldest first (specification, Single-flight lock). A lock has no lease: it goes when
 * its holder's last action on the entity is disposed. Thread-safe.
 */
public final class EntityLocks {
  private final Store store;

  public EntityLocks(Store store) {
    this.store = store;
  }

  /**
   * A lock that is held.
   *
   * @param holder the plan, or the undo action, that holds it
   * @param plan the plan it is held for
   */
  public record EntityLock(String entityKey, String holder, PlanId plan) {}

  /** The write that takes the lock; it is refused while another holder has it. */
  public static Write take(
      Partition partition, String entityKey, String holder, PlanId plan, Instant now) {
    return Write.put(
        Item.at(key(partition, entityKey))
            .with("entity_key", entityKey)
            .with("holder", holder)
            .with("plan", plan.value())
            .with("since", now.toEpochMilli())
            .build(),
        or(absent(), equal("holder", holder)));
  }

  /** The lock that a refused {@link #take} met. */
  public static EntityLock read(Item item) {
    return new EntityLock(
        item.text("entity_key"), item.text("holder"), new PlanId(item.text("plan")));
  }

  /** Who holds the lock now. */
  public Optional<EntityLock> held(Partition partition, String entityKey) {
    return store.get(key(partition, entityKey)).map(EntityLocks::read);
  }

  /** Gives the lock back; whether this holder had it. */
  public boolean release(Partition partition, String entityKey, String holder) {
    return store.write(Write.delete(key(partition, entityKey), equal("holder", holder))).done();
  }

  /** The write that gives the lock back, if this holder has it; refused if another has. */
  static Write giveBack(Partition partition, String entityKey, String holder) {
    return Write.delete(key(partition, entityKey), or(absent(), equal("holder", holder)));
  }

  /** Registers a plan as a waiter of the lock. */
  void await(EntityLock lock, Plan plan) {
    store.write(awaiting(lock, plan));
  }

  /** The write that registers a plan as a waiter of the lock. */
  static Write awaiting(EntityLock lock, Plan plan) {
    Key key = waiterKey(plan.partition(), lock.entityKey(), plan.id());
    return Write.put(Item.at(key).build(), always());
  }

  /** Removes a waiter. */
  public void forget(Partition partition, String entityKey, PlanId plan) {
    store.write(forgetting(partition, entityKey, plan));
  }

  /** The write that removes a waiter. */
  static Write forgetting(Partition partition, String entityKey, PlanId plan) {
    return Write.delete(waiterKey(partition, entityKey, plan), always());
  }

  /**
   * The oldest plan that waits for the entity.
   *
   * @param after only those that came after this one, if given
   */
  public Optional<PlanId> nextWaiter(
      Partition partition, String entityKey, @Nullable PlanId after) {
    Query query =
        Query.of(Table.LIMITS, partition(partition, entityKey))
            .from(after == null ? WAITER : WAITER + after.value() + "~")
            .limit(1);
    Slice slice = store.query(query);
    List<Item> items = slice.items();
    return items.isEmpty()
        ? Optional.empty()
        : PlanId.parse(items.getFirst().key().range().substring(WAITER.length()));
  }

  private static final String WAITER = "waiter#";

  private static String partition(Partition partition, String entityKey) {
    return partition.key("lock#" + entityKey);
  }

  private static Key key(Partition partition, String entityKey) {
    return Key.single(Table.LIMITS, partition(partition, entityKey));
  }

  private static Key waiterKey(Partition partition, String entityKey, PlanId plan) {
    return new Key(Table.LIMITS, partition(partition, entityKey), WAITER + plan.value());
  }
}
