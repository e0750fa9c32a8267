package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/**
 * Identifies a plan: {@code pl_…}. Its last character names the shard of its tenant's lists that
 * holds the plan, its actions and its receipts. So the identifier alone locates the plan, even if
 * the number of shards has changed.
 */
public record PlanId(@JsonValue String value) {
  public static final String PREFIX = "pl_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PlanId {
    Ids.require(PREFIX, value);
  }

  public static Optional<PlanId> parse(String text) {
    return Ids.parse(PREFIX, text, PlanId::new);
  }

  /** Creates an identifier for a tenant whose lists have one shard. */
  public static PlanId next(Ids ids) {
    return of(ids.next(), 1);
  }

  /**
   * Returns the identifier for a ULID in one of this many shards. Equal arguments give equal
   * identifiers.
   */
  public static PlanId of(String ulid, int shards) {
    return new PlanId(PREFIX + Ids.amongShards(ulid, shards));
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
