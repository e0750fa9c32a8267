package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EntityKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Entities found locked a moment ago. A new plan on such an entity is stored as waiting, without a
 * claim that would be refused. On a busy entity this applies to every plan. It is only a guess, so
 * the caller must look at the lock once the plan is stored. Thread-safe.
 */
final class LockedLately {
  private static final Duration MOMENT = Duration.ofSeconds(1);
  private static final int MOST = 10_000;

  private final Map<Entity, SeenLock> found =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Entity, SeenLock> eldest) {
          return size() > MOST;
        }
      };

  private record Entity(Partition partition, EntityKey key) {}

  private record SeenLock(EntityLock lock, Instant at) {}

  /**
   * Notes the lock that a claim found taken. The lock's holder has been notified that a plan waits
   * for it.
   */
  synchronized void note(Partition partition, EntityLock lock, Instant now) {
    found.put(new Entity(partition, lock.entityKey()), new SeenLock(lock.noticed(), now));
  }

  /** Returns the lock that was found taken on one of these entities, if any. */
  synchronized Optional<EntityLock> find(
      Partition partition, Collection<EntityKey> entities, Instant now) {
    return entities.stream()
        .map(entity -> found.get(new Entity(partition, entity)))
        .filter(met -> met != null && now.isBefore(met.at().plus(MOMENT)))
        .map(SeenLock::lock)
        .findFirst();
  }
}
