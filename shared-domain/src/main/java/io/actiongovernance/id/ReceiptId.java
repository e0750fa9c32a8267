package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a receipt: {@code rc_…}. Its last character names the shard of its tenant's lists that
 * holds it, which is the shard of its plan.
 */
public record ReceiptId(@JsonValue String value) {
  public static final String PREFIX = "rc_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ReceiptId {
    Ids.require(PREFIX, value);
  }

  public static Optional<ReceiptId> parse(String text) {
    return Ids.parse(PREFIX, text, ReceiptId::new);
  }

  /** Creates an identifier for a receipt without a plan. */
  public static ReceiptId next(Ids ids) {
    return of(ids.next(), null);
  }

  /** Creates an identifier for a receipt of a plan. */
  public static ReceiptId next(Ids ids, PlanId plan) {
    return of(ids.next(), plan);
  }

  /** Returns the identifier for this ULID, for a receipt of a plan, or of no plan. */
  public static ReceiptId of(String ulid, @Nullable PlanId plan) {
    return new ReceiptId(PREFIX + Ids.inShard(ulid, plan == null ? 0 : plan.shard()));
  }

  public int shard() {
    return Ids.shardOf(value);
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
