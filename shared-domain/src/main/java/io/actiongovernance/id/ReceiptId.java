package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a receipt: {@code rc_…}. Its last character names the shard of its tenant's lists that
 * it stands in, which is that of its plan.
 */
public record ReceiptId(@JsonValue String value) {
  /** What every one of them begins with. */
  public static final String PREFIX = "rc_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ReceiptId {
    Ids.require(PREFIX, value);
  }

  /** The identifier, if the text has its form. */
  public static Optional<ReceiptId> parse(String text) {
    return Ids.parse(PREFIX, text, ReceiptId::new);
  }

  /** A new one of what has no plan. */
  public static ReceiptId next(Ids ids) {
    return of(ids.next(), null);
  }

  /** A new one of what belongs to a plan. */
  public static ReceiptId next(Ids ids, PlanId plan) {
    return of(ids.next(), plan);
  }

  /** The one of this ULID, of what belongs to a plan, or to none. */
  public static ReceiptId of(String ulid, @Nullable PlanId plan) {
    return new ReceiptId(PREFIX + Ids.inShard(ulid, plan == null ? 0 : plan.shard()));
  }

  /** The shard it stands in. */
  public int shard() {
    return Ids.shardOf(value);
  }

  /** When it was made, to the millisecond. */
  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
