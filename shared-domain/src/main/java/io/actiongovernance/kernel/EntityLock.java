package io.actiongovernance.kernel;

import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Item;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lock that is taken.
 *
 * @param holder the plan, or the undo action, that has it
 * @param plan the plan for which it is taken
 * @param settlesAt time before which no call starts on the entity; null if the entity does not
 *     settle
 * @param askedUntil time until which it is kept for approvals and undos; null if none asked for it
 * @param ended whether its holder has finished; only the two times then still keep it
 * @param waited whether a plan may wait for it
 * @param since when it was taken; null if that is not kept because its entity settles
 */
public record EntityLock(
    EntityKey entityKey,
    String holder,
    PlanId plan,
    @Nullable Instant settlesAt,
    @Nullable Instant askedUntil,
    boolean ended,
    boolean waited,
    @Nullable Instant since) {
  static final String SETTLES_AT = "settles_at";
  static final String ASKED_UNTIL = "asked_until";
  static final String ENDED = "ended";
  static final String SINCE = "since";

  /** Records that a plan may wait for the lock, so that its holder looks for waiters on release. */
  static final String WAITED = "waited";

  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  public EntityLock(EntityKey entityKey, String holder, PlanId plan) {
    this(entityKey, holder, plan, null, null, false, false, null);
  }

  /** Returns the lock after its holder was notified that a plan waits for it. */
  EntityLock noticed() {
    return new EntityLock(entityKey, holder, plan, settlesAt, askedUntil, ended, true, since);
  }

  Refusal refusal(Instant now) {
    return new Refusal.EntityLocked(entityKey, plan, retryAfter(now));
  }

  /**
   * Returns the time until another request is worthwhile: until the entity has settled, if it
   * settles; otherwise a short time.
   */
  Duration retryAfter(Instant now) {
    return settlesAt == null || !now.isBefore(settlesAt)
        ? ASK_AGAIN
        : Duration.ofSeconds(Duration.between(now, settlesAt).plusMillis(999).toSeconds());
  }

  /** Returns whether a call may not start yet, even for its holder. */
  boolean settling(Instant now) {
    return settlesAt != null && now.isBefore(settlesAt);
  }

  /**
   * Returns how much longer the lock is kept, after its holder has finished, for the approvals and
   * undos that asked for it.
   */
  Optional<Duration> asked(Instant now) {
    return Optional.ofNullable(askedUntil)
        .filter(now::isBefore)
        .map(until -> Duration.between(now, until));
  }

  /** Returns whether a plan that waits for the lock must keep waiting. */
  boolean stands(Instant now) {
    return !ended || settling(now) || asked(now).isPresent();
  }

  public static EntityLock read(Item item) {
    return new EntityLock(
        new EntityKey(item.text("entity_key")),
        item.text("holder"),
        new PlanId(item.text("plan")),
        instant(item, SETTLES_AT),
        instant(item, ASKED_UNTIL),
        item.has(ENDED),
        item.has(WAITED),
        instant(item, SINCE));
  }

  private static @Nullable Instant instant(Item item, String name) {
    return item.has(name) ? Instant.ofEpochMilli(item.whole(name, 0)) : null;
  }
}
