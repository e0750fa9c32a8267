package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.always;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plans that wait for the lock of an entity, oldest first. Thread-safe. */
final class LockWaiters {
  private static final String WAITER = "waiter#";

  private final Store store;

  LockWaiters(Store store) {
    this.store = store;
  }

  /**
   * Registers a plan as a waiter for the lock. The caller must then notify the lock's holder with
   * {@link EntityLocks#notice}.
   */
  void await(EntityLock lock, Plan plan) {
    store.write(awaiting(lock, plan));
  }

  static Write awaiting(EntityLock lock, Plan plan) {
    Key key = waiterKey(plan.partition(), lock.entityKey(), plan.id());
    return Write.put(Waiter.of(plan).at(key), always());
  }

  void forget(Partition partition, EntityKey entityKey, PlanId plan) {
    store.write(forgetting(partition, entityKey, plan));
  }

  static Write forgetting(Partition partition, EntityKey entityKey, PlanId plan) {
    return Write.delete(waiterKey(partition, entityKey, plan), always());
  }

  /**
   * Returns the oldest plan that waits for the entity.
   *
   * @param after if given, only plans that came after this one
   */
  Optional<Waiter> nextWaiter(Partition partition, EntityKey entityKey, @Nullable PlanId after) {
    Query query =
        Query.of(Table.LIMITS, EntityLocks.partition(partition, entityKey.value()))
            .from(after == null ? WAITER : WAITER + after.value() + "~")
            .limit(1);
    Slice slice = store.query(query);
    return slice.items().stream()
        .findFirst()
        .map(item -> Waiter.read(new PlanId(item.key().range().substring(WAITER.length())), item));
  }

  private static Key waiterKey(Partition partition, EntityKey entityKey, PlanId plan) {
    return new Key(
        Table.LIMITS, EntityLocks.partition(partition, entityKey.value()), WAITER + plan.value());
  }
}
