package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/**
 * Identifies a plan: {@code pl_…}. Its last character names the shard of its tenant's lists that
 * the plan stands in, with its actions and receipts; so who knows it knows where to look, however
 * many shards there are by now.
 */
public record PlanId(@JsonValue String value) {
  /** What every one of them begins with. */
  public static final String PREFIX = "pl_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PlanId {
    Ids.require(PREFIX, value);
  }

  /** The identifier, if the text has its form. */
  public static Optional<PlanId> parse(String text) {
    return Ids.parse(PREFIX, text, PlanId::new);
  }

  /** A new one, of a tenant whose lists are of one shard. */
  public static PlanId next(Ids ids) {
    return of(ids.next(), 1);
  }

  /** The one of this ULID, in one of so many shards; the same for the same two. */
  public static PlanId of(String ulid, int shards) {
    return new PlanId(PREFIX + Ids.amongShards(ulid, shards));
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
