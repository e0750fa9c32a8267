package io.actiongovernance.kernel;

import static io.actiongovernance.kernel.EntityLock.ASKED_UNTIL;
import static io.actiongovernance.kernel.EntityLock.ENDED;
import static io.actiongovernance.kernel.EntityLock.SETTLES_AT;
import static io.actiongovernance.kernel.EntityLock.SINCE;
import static io.actiongovernance.kernel.EntityLock.WAITED;
import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.always;
import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.greater;
import static io.actiongovernance.store.Condition.has;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Single-flight locks: at most one holder for each entity of a tenant and mode (specification,
 * Single-flight lock); {@link LockWaiters} has the waiters. A lock has no lease: it is released
 * when its holder's last action on the entity is disposed.
 *
 * <p>After an action whose call may still be at work at its source system, the entity settles until
 * a time kept in its lock (contract, section 5). Until then actions can be disposed, but no call
 * starts and the lock stays. A row names this time for the sweeper, because no event ends that
 * wait.
 *
 * <p>An approval or an undo that finds the lock taken marks it, because its caller will ask again.
 * The lock is then kept for approvals and undos until a later time, even if its holder has
 * finished. No waiting plan takes it before (architecture, "Claim"). Thread-safe.
 */
public final class EntityLocks {
  /** Kind of the rows that record when an entity will have settled. */
  static final String SETTLING = "settling";

  /**
   * Extra time for which a lock is kept for approvals and undos, after their callers should have
   * asked again.
   */
  public static final Duration KEPT = Duration.ofSeconds(5);

  private static final String UNTIL = "until";

  private final Store store;
  private final LockWaiters waiters;
  private final InstantSource clock;

  public EntityLocks(Store store, InstantSource clock) {
    this.store = store;
    this.waiters = new LockWaiters(store);
    this.clock = clock;
  }

  LockWaiters waiters() {
    return waiters;
  }

  /**
   * Returns the write that takes the lock for a plan that needs no approval. It is refused while
   * another holder has the lock, or while the lock is kept for approvals and undos.
   *
   * @param waited whether a plan may already wait for the lock; true for a plan that waited itself,
   *     because it cannot know
   */
  static Write take(
      Partition partition, EntityKey entityKey, PlanId plan, boolean waited, Instant now) {
    Item.Builder lock = taken(partition, entityKey, plan.value(), plan, now);
    return take(
        (waited ? lock.with(WAITED, 1) : lock).build(), and(over(now), past(ASKED_UNTIL, now)));
  }

  /**
   * Returns the write that takes the lock for an approval or an undo, for which the lock may be
   * kept.
   */
  static Write takeAsked(
      Partition partition, EntityKey entityKey, String holder, PlanId plan, Instant now) {
    return take(taken(partition, entityKey, holder, plan, now).build(), over(now));
  }

  private static Write take(Item lock, Condition free) {
    return Write.put(
        lock, or(absent(), and(equal("holder", lock.text("holder")), lacks(ENDED)), free));
  }

  /**
   * Returns the write that transfers the lock to a waiting plan, behind which others may wait. It
   * is refused if this holder no longer has the lock, if the entity settles first, or if an
   * approval or undo asked for the lock.
   */
  static Write handOver(
      Partition partition, EntityKey entityKey, String holder, PlanId next, Instant now) {
    return Write.put(
        taken(partition, entityKey, next.value(), next, now).with(WAITED, 1).build(),
        and(equal("holder", holder), lacks(SETTLES_AT), lacks(ENDED), past(ASKED_UNTIL, now)));
  }

  private static Item.Builder taken(
      Partition partition, EntityKey entityKey, String holder, PlanId plan, Instant now) {
    return Item.at(key(partition, entityKey))
        .with("entity_key", entityKey.value())
        .with("holder", holder)
        .with("plan", plan.value())
        .with(SINCE, now.toEpochMilli());
  }

  /** Returns the condition that the lock's holder has finished and its entity has settled. */
  private static Condition over(Instant now) {
    return and(equal(ENDED, 1), past(SETTLES_AT, now));
  }

  private static Condition past(String time, Instant now) {
    return or(lacks(time), atMost(time, now.toEpochMilli()));
  }

  /** Returns the lock as it is taken now; empty if it is free. */
  public Optional<EntityLock> find(Partition partition, EntityKey entityKey) {
    Instant now = clock.instant();
    return store
        .get(key(partition, entityKey))
        .map(EntityLock::read)
        .filter(lock -> lock.stands(now));
  }

  /**
   * Releases the lock. If the entity settles first, or the lock is kept for approvals and undos, it
   * is released at the end of that time instead.
   *
   * @return whether this holder had it, its entity has settled, and a plan may wait for it
   */
  public boolean release(Partition partition, EntityKey entityKey, String holder) {
    Key key = key(partition, entityKey);
    Instant now = clock.instant();
    Condition free = and(equal("holder", holder), past(SETTLES_AT, now));
    Optional<EntityLock> left = delete(key, and(free, lacks(WAITED)), holder);
    if (left.filter(EntityLock::waited).isPresent()) {
      left = delete(key, and(free, past(ASKED_UNTIL, now)), holder);
      if (left.isEmpty()) {
        return true;
      }
    }
    if (left.isPresent()) {
      // A refusal means that the entity has just settled, and that its lock was released then.
      store.write(
          Write.update(
              key,
              and(
                  equal("holder", holder),
                  or(
                      greater(SETTLES_AT, now.toEpochMilli()),
                      greater(ASKED_UNTIL, now.toEpochMilli()))),
              Change.set(ENDED, 1)));
    }
    return left.filter(lock -> !lock.settling(now)).isPresent();
  }

  /** Deletes a lock. Returns it if the delete was refused and this holder still has it. */
  private Optional<EntityLock> delete(Key key, Condition condition, String holder) {
    return store.write(Write.delete(key, condition)) instanceof Store.Written.Refused(var found)
        ? found.map(EntityLock::read).filter(lock -> lock.holder().equals(holder))
        : Optional.empty();
  }

  /** Way in which a holder returns its lock. */
  enum Return {
    /** The lock is deleted unless a plan may wait for it. */
    UNNOTICED,
    /**
     * The lock is deleted although a plan may wait for it, unless an approval or undo asked for it.
     */
    WAITED_FOR,
    /** The lock is kept for the approvals and undos that asked for it. */
    ASKED_FOR
  }

  /** Returns the write that gives back this holder's lock; refused if another holder has it. */
  static Write giveBack(Partition partition, EntityLock lock, Return how, Instant now) {
    Key key = key(partition, lock.entityKey());
    Condition mine = equal("holder", lock.holder());
    return switch (how) {
      case UNNOTICED -> Write.delete(key, or(absent(), and(mine, lacks(WAITED))));
      case WAITED_FOR -> Write.delete(key, or(absent(), and(mine, past(ASKED_UNTIL, now))));
      case ASKED_FOR -> Write.update(key, mine, Change.set(ENDED, 1));
    };
  }

  /** Returns the way to return the lock that made a {@link #giveBack} fail, if there is one. */
  static Optional<Return> giveBackOf(Item found, String holder, Instant now) {
    return Optional.of(EntityLock.read(found))
        .filter(lock -> lock.waited() && lock.holder().equals(holder))
        .map(lock -> lock.asked(now).isPresent() ? Return.ASKED_FOR : Return.WAITED_FOR);
  }

  /**
   * Returns the writes that make an entity settle until a time, under this lock.
   *
   * @param ended whether the holder has finished with the lock
   */
  static List<Write> settling(Partition partition, EntityLock lock, Instant until, boolean ended) {
    List<Change> changes =
        new ArrayList<>(
            List.of(
                Change.set("entity_key", lock.entityKey().value()),
                Change.set("holder", lock.holder()),
                Change.set("plan", lock.plan().value()),
                Change.set(SETTLES_AT, until.toEpochMilli()),
                Change.set(WAITED, 1),
                Change.remove(SINCE)));
    if (ended) {
      changes.add(Change.set(ENDED, 1));
    }
    return List.of(
        Write.update(
            key(partition, lock.entityKey()),
            or(absent(), equal("holder", lock.holder())),
            changes),
        look(partition, lock.entityKey(), until, always()));
  }

  /** Returns the write that makes the sweeper look at an entity's lock at that time. */
  private static Write look(
      Partition partition, EntityKey entityKey, Instant until, Condition condition) {
    return Write.put(
        DueIndex.STEPS
            .enter(
                Item.at(settlingKey(partition, entityKey)),
                partition,
                CanonicalJson.sha256(entityKey.value()),
                until)
            .with("kind", SETTLING)
            .with("id", entityKey.value())
            .with("partition", partition.key())
            .with(UNTIL, until.toEpochMilli())
            .build(),
        condition);
  }

  /**
   * Keeps a lock that an approval or an undo found taken, until its caller has had time to ask
   * again.
   *
   * @return whether the lock is still taken
   */
  boolean ask(Partition partition, EntityLock met) {
    return ask(partition, met.entityKey(), until(met));
  }

  /**
   * Keeps the other locks that an approval needs for as long as the one that it found taken, even
   * if they are free. Otherwise other plans could take one of the locks while the approval waits
   * for another, again and again.
   */
  void askOthers(Partition partition, EntityLock met, PlanId plan, Collection<EntityKey> needed) {
    Instant until = until(met);
    for (EntityKey entity : needed) {
      if (!entity.equals(met.entityKey()) && !ask(partition, entity, until)) {
        Item free =
            taken(partition, entity, plan.value(), plan, clock.instant())
                .with(ENDED, 1)
                .with(ASKED_UNTIL, until.toEpochMilli())
                .with(WAITED, 1)
                .build();
        if (!store.write(Write.put(free, absent())).done()) {
          // Another holder has just taken it.
          ask(partition, entity, until);
        }
      }
    }
  }

  private Instant until(EntityLock met) {
    Instant now = clock.instant();
    return now.plus(met.retryAfter(now)).plus(KEPT);
  }

  private boolean ask(Partition partition, EntityKey entityKey, Instant until) {
    // Written before the mark. Otherwise the mark would stay forever if nobody asked again.
    store.write(
        look(partition, entityKey, until, or(absent(), atMost(UNTIL, until.toEpochMilli()))));
    return store
        .write(
            Write.update(
                key(partition, entityKey),
                has("holder"),
                Change.set(ASKED_UNTIL, until.toEpochMilli()),
                Change.set(WAITED, 1)))
        .done();
  }

  /**
   * Releases a settled entity's lock if its holder has finished and it is kept for nobody.
   *
   * @return the lock that remains; empty if none
   */
  Optional<EntityLock> settled(Partition partition, EntityKey entityKey) {
    Key key = key(partition, entityKey);
    Instant now = clock.instant();
    return store.write(Write.delete(key, and(over(now), past(ASKED_UNTIL, now))))
            instanceof Store.Written.Refused(var found)
        ? found.map(EntityLock::read)
        : Optional.empty();
  }

  /** Schedules another look at a lock for the time when it is no longer kept. */
  void lookAgain(Partition partition, EntityLock kept) {
    store.write(
        look(partition, kept.entityKey(), Objects.requireNonNull(kept.askedUntil()), always()));
  }

  /**
   * Deletes the row that records when an entity will have settled, unless it is to settle again.
   */
  void forgetSettling(Partition partition, EntityKey entityKey) {
    store.write(
        Write.delete(
            settlingKey(partition, entityKey), atMost(UNTIL, clock.instant().toEpochMilli())));
  }

  /** Returns the key of an entity's lock, for callers that read it along with other items. */
  static Key lockKey(Partition partition, String line) {
    return Key.single(Table.LIMITS, partition(partition, line));
  }

  /**
   * Notifies the holder of a lock that a plan waits for it. The plan must already be registered, so
   * that the lock's release cannot be missed.
   *
   * @param met the lock as it was found; its holder may have been notified before
   * @return the lock to wait for; empty if it is gone
   */
  Optional<EntityLock> notice(Partition partition, EntityLock met) {
    EntityKey entityKey = met.entityKey();
    if (met.waited()) {
      Optional<EntityLock> now = find(partition, entityKey);
      if (now.isEmpty() || now.get().waited()) {
        return now;
      }
    }
    Write told =
        Write.update(
            key(partition, entityKey), and(has("holder"), lacks(ENDED)), Change.set(WAITED, 1));
    Instant now = clock.instant();
    Optional<Item> found =
        switch (store.write(told)) {
          case Store.Written.Done(var after) -> after;
          case Store.Written.Refused(var there) -> there;
        };
    return found.map(EntityLock::read).filter(lock -> lock.stands(now));
  }

  static String partition(Partition partition, String line) {
    return partition.key("lock#" + line);
  }

  private static Key key(Partition partition, EntityKey entityKey) {
    return Key.single(Table.LIMITS, partition(partition, entityKey.value()));
  }

  private static Key settlingKey(Partition partition, EntityKey entityKey) {
    return Key.single(
        Table.STATE, partition.key("settling#" + CanonicalJson.sha256(entityKey.value())));
  }
}
