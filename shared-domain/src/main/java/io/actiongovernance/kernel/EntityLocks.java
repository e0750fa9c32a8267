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
 * The single-flight locks: at most one holder per entity of a tenant and mode (specification,
 * Single-flight lock); who waits for one is in {@link LockWaiters}. A lock has no lease: it goes
 * when its holder's last action on the entity is disposed.
 *
 * <p>After an action whose call may still be at work at its source system, the entity settles: its
 * lock is in nobody's way to be disposed under, but no call starts, and it does not go, before a
 * time that is kept in it (contract, section 5). A row says when; the sweeper looks at it then,
 * since no event ends that wait.
 *
 * <p>An approval or an undo that met the lock leaves a mark on it, since whoever asked comes again:
 * until a time after that, the lock is kept for approvals and undos once its holder is done with
 * it, and no plan that waits takes it (architecture, "Claim"). Thread-safe.
 */
public final class EntityLocks {
  /** The kind of the rows that say when an entity has settled. */
  static final String SETTLING = "settling";

  /** For how long after they are to ask again a lock is kept for those who asked for it. */
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

  /** The plans that wait for locks. */
  LockWaiters waiters() {
    return waiters;
  }

  /**
   * The write that takes the lock for a plan that needs no approval; it is refused while another
   * holder has it, or while it is kept for somebody who asked.
   *
   * @param waited whether somebody may wait for it already, as who has waited for it cannot tell
   */
  static Write take(
      Partition partition, EntityKey entityKey, PlanId plan, boolean waited, Instant now) {
    Item.Builder lock = taken(partition, entityKey, plan.value(), plan, now);
    return take(
        (waited ? lock.with(WAITED, 1) : lock).build(), and(over(now), past(ASKED_UNTIL, now)));
  }

  /** The same for an approval or an undo, for which it may be kept. */
  static Write takeAsked(
      Partition partition, EntityKey entityKey, String holder, PlanId plan, Instant now) {
    return take(taken(partition, entityKey, holder, plan, now).build(), over(now));
  }

  private static Write take(Item lock, Condition free) {
    return Write.put(
        lock, or(absent(), and(equal("holder", lock.text("holder")), lacks(ENDED)), free));
  }

  /**
   * The write that hands the lock over to a plan that waits for it; refused if this holder has it
   * no more, if the entity is to settle first, or if somebody asked for it. Somebody may wait for
   * it still.
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

  /** A lock whose holder is done with it, and whose entity has settled. */
  private static Condition over(Instant now) {
    return and(equal(ENDED, 1), past(SETTLES_AT, now));
  }

  private static Condition past(String time, Instant now) {
    return or(lacks(time), atMost(time, now.toEpochMilli()));
  }

  /** The lock as it is taken now; empty while nobody has it. */
  public Optional<EntityLock> find(Partition partition, EntityKey entityKey) {
    Instant now = clock.instant();
    return store
        .get(key(partition, entityKey))
        .map(EntityLock::read)
        .filter(lock -> lock.stands(now));
  }

  /**
   * Gives the lock back, unless the entity is to settle first, or it is kept for somebody who
   * asked: then it goes when that is over.
   *
   * @return whether this holder had it, its entity has settled, and somebody may wait for it
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
      // Refused means that it has settled just now, and that whoever saw to that let it go.
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

  /** Deletes a lock; returns it if that was refused and this holder has it. */
  private Optional<EntityLock> delete(Key key, Condition condition, String holder) {
    return store.write(Write.delete(key, condition)) instanceof Store.Written.Refused(var found)
        ? found.map(EntityLock::read).filter(lock -> lock.holder().equals(holder))
        : Optional.empty();
  }

  /** How a holder gives its lock back. */
  enum Return {
    /** Unless somebody may wait for it. */
    UNNOTICED,
    /** Though somebody may wait for it; unless somebody asked for it. */
    WAITED_FOR,
    /** It is kept for who asked for it. */
    ASKED_FOR
  }

  /** The write that gives the lock back, if this holder has it; refused if another has. */
  static Write giveBack(Partition partition, EntityLock lock, Return how, Instant now) {
    Key key = key(partition, lock.entityKey());
    Condition mine = equal("holder", lock.holder());
    return switch (how) {
      case UNNOTICED -> Write.delete(key, or(absent(), and(mine, lacks(WAITED))));
      case WAITED_FOR -> Write.delete(key, or(absent(), and(mine, past(ASKED_UNTIL, now))));
      case ASKED_FOR -> Write.update(key, mine, Change.set(ENDED, 1));
    };
  }

  /** How the lock can be given back that a refused {@link #giveBack} met, if it can. */
  static Optional<Return> giveBackOf(Item found, String holder, Instant now) {
    return Optional.of(EntityLock.read(found))
        .filter(lock -> lock.waited() && lock.holder().equals(holder))
        .map(lock -> lock.asked(now).isPresent() ? Return.ASKED_FOR : Return.WAITED_FOR);
  }

  /**
   * The writes by which an entity settles until a time, under this lock.
   *
   * @param ended whether the holder is done with the lock
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

  /** The write that has the sweeper look at the lock of an entity then. */
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
   * An approval or an undo met the lock: it is kept for whoever asked until they have come again.
   *
   * @return whether anybody has the lock still
   */
  boolean ask(Partition partition, EntityLock met) {
    return ask(partition, met.entityKey(), until(met));
  }

  /**
   * An approval met one lock of several that it needs: the others are kept as long, those that
   * nobody has too. Else one would be taken while it waits for another, by turns and without end.
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
          // Somebody has taken it just now.
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
    // Before the mark, which would stand for good if nobody came again.
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
   * Lets the lock of an entity go that has settled, if its holder is done with it and it is kept
   * for nobody.
   *
   * @return the lock that stands, empty if there is none
   */
  Optional<EntityLock> settled(Partition partition, EntityKey entityKey) {
    Key key = key(partition, entityKey);
    Instant now = clock.instant();
    return store.write(Write.delete(key, and(over(now), past(ASKED_UNTIL, now))))
            instanceof Store.Written.Refused(var found)
        ? found.map(EntityLock::read)
        : Optional.empty();
  }

  /** Has a lock looked at again once it is kept for nobody. */
  void lookAgain(Partition partition, EntityLock kept) {
    store.write(
        look(partition, kept.entityKey(), Objects.requireNonNull(kept.askedUntil()), always()));
  }

  /** Forgets that an entity was to settle, unless it is to settle anew. */
  void forgetSettling(Partition partition, EntityKey entityKey) {
    store.write(
        Write.delete(
            settlingKey(partition, entityKey), atMost(UNTIL, clock.instant().toEpochMilli())));
  }

  /** Where the lock of an entity is kept, for those who read it along with other items. */
  static Key lockKey(Partition partition, String line) {
    return Key.single(Table.LIMITS, partition(partition, line));
  }

  /**
   * Tells the holder of a lock that somebody waits for it, who is registered already: so there is
   * no moment at which its release could be missed.
   *
   * @param met as it was found; its holder may have been told before
   * @return the lock that is to be waited for; empty if there is none any more
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
