package io.actiongovernance.kernel;

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
import io.actiongovernance.due.Due;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The single-flight locks: at most one holder per entity of a tenant and mode, and the plans that
 * wait for it, oldest first (specification, Single-flight lock). A lock has no lease: it goes when
 * its holder's last action on the entity is disposed.
 *
 * <p>After an action whose call may still be at work at its source system, the entity settles: its
 * lock is in nobody's way to be disposed under, but no call starts, and it does not go, before a
 * time that is kept in it (contract, section 5). A row says when; the sweeper looks at it then,
 * since no event ends that wait. Thread-safe.
 */
public final class EntityLocks {
  /** The kind of the rows that say when an entity has settled. */
  static final String SETTLING = "settling";

  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);
  static final String SETTLES_AT = "settles_at";
  static final String ENDED = "ended";
  static final String SINCE = "since";
  private static final String UNTIL = "until";

  /** That somebody may wait for it: then who gives it back looks for them. */
  private static final String WAITED = "waited";

  private final Store store;
  private final InstantSource clock;

  public EntityLocks(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * A lock that is taken.
   *
   * @param holder the plan, or the undo action, that has it
   * @param plan the plan it is taken for
   * @param settlesAt until when no call starts on the entity; null where that is open
   * @param ended whether its holder is done with it: it stays for the sake of that time alone
   * @param waited whether somebody may wait for it
   * @param since when it was taken; null where that is not kept, since its entity settles
   */
  public record EntityLock(
      EntityKey entityKey,
      String holder,
      PlanId plan,
      @Nullable Instant settlesAt,
      boolean ended,
      boolean waited,
      @Nullable Instant since) {
    public EntityLock(EntityKey entityKey, String holder, PlanId plan) {
      this(entityKey, holder, plan, null, false, false, null);
    }

    /** The same once its holder was told that somebody waits for it. */
    EntityLock noticed() {
      return new EntityLock(entityKey, holder, plan, settlesAt, ended, true, since);
    }

    /** The refusal of a request that needs it. */
    Refusal refusal(Instant now) {
      return new Refusal.EntityLocked(entityKey, plan, retryAfter(now));
    }

    /** While the entity settles it is known when; else it is worth to ask again soon. */
    private Duration retryAfter(Instant now) {
      return settlesAt == null || !now.isBefore(settlesAt)
          ? ASK_AGAIN
          : Duration.ofSeconds(Duration.between(now, settlesAt).plusMillis(999).toSeconds());
    }

    /** Whether a call may not start yet, even for its holder. */
    boolean settling(Instant now) {
      return settlesAt != null && now.isBefore(settlesAt);
    }
  }

  /**
   * The write that takes the lock; it is refused while another holder has it.
   *
   * @param waited whether somebody may wait for it already, as who has waited for it cannot tell
   */
  public static Write take(
      Partition partition,
      EntityKey entityKey,
      String holder,
      PlanId plan,
      boolean waited,
      Instant now) {
    Item.Builder lock =
        Item.at(key(partition, entityKey))
            .with("entity_key", entityKey.value())
            .with("holder", holder)
            .with("plan", plan.value())
            .with(SINCE, now.toEpochMilli());
    if (waited) {
      lock.with(WAITED, 1);
    }
    return Write.put(
        lock.build(), or(absent(), and(equal("holder", holder), lacks(ENDED)), over(now)));
  }

  /** A lock that stayed for the sake of a time alone, and that time is over. */
  private static Condition over(Instant now) {
    return and(equal(ENDED, 1), atMost(SETTLES_AT, now.toEpochMilli()));
  }

  /** The lock that a refused {@link #take} met. */
  public static EntityLock read(Item item) {
    return new EntityLock(
        new EntityKey(item.text("entity_key")),
        item.text("holder"),
        new PlanId(item.text("plan")),
        item.has(SETTLES_AT) ? Instant.ofEpochMilli(item.whole(SETTLES_AT, 0)) : null,
        item.has(ENDED),
        item.has(WAITED),
        item.has(SINCE) ? Instant.ofEpochMilli(item.whole(SINCE, 0)) : null);
  }

  /** The lock as it is taken now; empty while nobody has it. */
  public Optional<EntityLock> find(Partition partition, EntityKey entityKey) {
    Instant now = clock.instant();
    return store
        .get(key(partition, entityKey))
        .map(EntityLocks::read)
        .filter(lock -> !lock.ended() || lock.settling(now));
  }

  /**
   * Gives the lock back, unless the entity is to settle first: then it goes when it has.
   *
   * @return whether this holder had it, it is free, and somebody may wait for it
   */
  public boolean release(Partition partition, EntityKey entityKey, String holder) {
    Key key = key(partition, entityKey);
    Instant now = clock.instant();
    Condition free =
        and(equal("holder", holder), or(lacks(SETTLES_AT), atMost(SETTLES_AT, now.toEpochMilli())));
    Optional<EntityLock> left = delete(key, and(free, lacks(WAITED)), holder);
    if (left.filter(EntityLock::waited).isPresent()) {
      left = delete(key, free, holder);
      if (left.isEmpty()) {
        return true;
      }
    }
    if (left.isPresent()) {
      // Refused means that it has settled just now, and that whoever saw to that let it go.
      store.write(
          Write.update(
              key,
              and(equal("holder", holder), greater(SETTLES_AT, now.toEpochMilli())),
              Change.set(ENDED, 1)));
    }
    return false;
  }

  /** Deletes a lock; returns it if that was refused and this holder has it. */
  private Optional<EntityLock> delete(Key key, Condition condition, String holder) {
    return store.write(Write.delete(key, condition)) instanceof Store.Written.Refused(var found)
        ? found.map(EntityLocks::read).filter(lock -> lock.holder().equals(holder))
        : Optional.empty();
  }

  /**
   * The write that gives the lock back, if this holder has it; refused if another has.
   *
   * @param waited whether to do so though somebody may wait for it
   */
  static Write giveBack(Partition partition, EntityKey entityKey, String holder, boolean waited) {
    Condition mine = equal("holder", holder);
    return Write.delete(
        key(partition, entityKey), or(absent(), waited ? mine : and(mine, lacks(WAITED))));
  }

  /** Whether a refused {@link #giveBack} met a lock of this holder for which somebody waits. */
  static boolean isWaitedFor(Item found, String holder) {
    EntityLock lock = read(found);
    return lock.waited() && lock.holder().equals(holder);
  }

  /**
   * The writes by which an entity settles until a time, under the lock of this holder.
   *
   * @param ended whether the holder is done with the lock
   */
  static List<Write> settling(
      Partition partition,
      EntityKey entityKey,
      String holder,
      PlanId plan,
      Instant until,
      boolean ended) {
    Item.Builder lock =
        Item.at(key(partition, entityKey))
            .with("entity_key", entityKey.value())
            .with("holder", holder)
            .with("plan", plan.value())
            .with(SETTLES_AT, until.toEpochMilli())
            .with(WAITED, 1);
    if (ended) {
      lock.with(ENDED, 1);
    }
    Key row = settlingKey(partition, entityKey);
    return List.of(
        Write.put(lock.build(), or(absent(), equal("holder", holder))),
        Write.put(
            Due.STEPS
                .enter(Item.at(row), partition, CanonicalJson.sha256(entityKey.value()), until)
                .with("kind", SETTLING)
                .with("id", entityKey.value())
                .with("partition", partition.key())
                .with(UNTIL, until.toEpochMilli())
                .build(),
            always()));
  }

  /**
   * Lets the lock of an entity go that has settled, if its holder is done with it.
   *
   * @return the holder that is not, and goes on now
   */
  Optional<EntityLock> settled(Partition partition, EntityKey entityKey) {
    Key key = key(partition, entityKey);
    return store.write(Write.delete(key, over(clock.instant())))
            instanceof Store.Written.Refused(var found)
        ? found.map(EntityLocks::read)
        : Optional.empty();
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

  /** Registers a plan as a waiter of the lock, of which {@link #notice} is to tell its holder. */
  void await(EntityLock lock, Plan plan) {
    store.write(awaiting(lock, plan));
  }

  /**
   * Tells the holder of a lock that somebody waits for it, who is registered already: so there is
   * no moment at which its release could be missed.
   *
   * @param met as it was found; its holder may have been told before
   * @return whether somebody has it still
   */
  boolean notice(Partition partition, EntityLock met) {
    EntityKey entityKey = met.entityKey();
    if (met.waited()) {
      Optional<EntityLock> now = find(partition, entityKey);
      if (now.isEmpty() || now.get().waited()) {
        return now.isPresent();
      }
    }
    Condition taken =
        and(has("holder"), or(lacks(ENDED), greater(SETTLES_AT, clock.instant().toEpochMilli())));
    return store
        .write(Write.update(key(partition, entityKey), taken, Change.set(WAITED, 1)))
        .done();
  }

  /** The write that registers a plan as a waiter of the lock. */
  static Write awaiting(EntityLock lock, Plan plan) {
    Key key = waiterKey(plan.partition(), lock.entityKey(), plan.id());
    return Write.put(Waiter.of(plan).at(key), always());
  }

  /** Removes a waiter. */
  public void forget(Partition partition, EntityKey entityKey, PlanId plan) {
    store.write(forgetting(partition, entityKey, plan));
  }

  /** The write that removes a waiter. */
  static Write forgetting(Partition partition, EntityKey entityKey, PlanId plan) {
    return Write.delete(waiterKey(partition, entityKey, plan), always());
  }

  /**
   * The oldest plan that waits for the entity.
   *
   * @param after only those that came after this one, if given
   */
  Optional<Waiter> nextWaiter(Partition partition, EntityKey entityKey, @Nullable PlanId after) {
    Query query =
        Query.of(Table.LIMITS, partition(partition, entityKey.value()))
            .from(after == null ? WAITER : WAITER + after.value() + "~")
            .limit(1);
    Slice slice = store.query(query);
    return slice.items().stream()
        .findFirst()
        .map(item -> Waiter.read(new PlanId(item.key().range().substring(WAITER.length())), item));
  }

  private static final String WAITER = "waiter#";

  private static String partition(Partition partition, String line) {
    return partition.key("lock#" + line);
  }

  private static Key key(Partition partition, EntityKey entityKey) {
    return Key.single(Table.LIMITS, partition(partition, entityKey.value()));
  }

  private static Key settlingKey(Partition partition, EntityKey entityKey) {
    return Key.single(
        Table.STATE, partition.key("settling#" + CanonicalJson.sha256(entityKey.value())));
  }

  private static Key waiterKey(Partition partition, EntityKey entityKey, PlanId plan) {
    return new Key(Table.LIMITS, partition(partition, entityKey.value()), WAITER + plan.value());
  }
}
