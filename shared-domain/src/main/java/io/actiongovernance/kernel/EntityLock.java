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
 * A lock that is taken.
 *
 * @param holder the plan, or the undo action, that has it
 * @param plan the plan it is taken for
 * @param settlesAt until when no call starts on the entity; null where that is open
 * @param askedUntil until when it is kept for approvals and undos; null where none asked
 * @param ended whether its holder is done with it: it stays for the sake of these times alone
 * @param waited whether somebody may wait for it
 * @param since when it was taken; null where that is not kept, since its entity settles
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

  /** That somebody may wait for it: then who gives it back looks for them. */
  static final String WAITED = "waited";

  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  public EntityLock(EntityKey entityKey, String holder, PlanId plan) {
    this(entityKey, holder, plan, null, null, false, false, null);
  }

  /** The same once its holder was told that somebody waits for it. */
  EntityLock noticed() {
    return new EntityLock(entityKey, holder, plan, settlesAt, askedUntil, ended, true, since);
  }

  /** The refusal of a request that needs it. */
  Refusal refusal(Instant now) {
    return new Refusal.EntityLocked(entityKey, plan, retryAfter(now));
  }

  /** While the entity settles it is known when; else it is worth to ask again soon. */
  Duration retryAfter(Instant now) {
    return settlesAt == null || !now.isBefore(settlesAt)
        ? ASK_AGAIN
        : Duration.ofSeconds(Duration.between(now, settlesAt).plusMillis(999).toSeconds());
  }

  /** Whether a call may not start yet, even for its holder. */
  boolean settling(Instant now) {
    return settlesAt != null && now.isBefore(settlesAt);
  }

  /** For how long it is kept for those who asked for it, once its holder is done with it. */
  Optional<Duration> asked(Instant now) {
    return Optional.ofNullable(askedUntil)
        .filter(now::isBefore)
        .map(until -> Duration.between(now, until));
  }

  /** Whether a plan that waits for it must wait on. */
  boolean stands(Instant now) {
    return !ended || settling(now) || asked(now).isPresent();
  }

  /** The lock that an item holds, such as one that was met. */
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
