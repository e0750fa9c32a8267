package io.actiongovernance.access;

import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Number of keys over which a tenant's concurrent writes are spread. It multiplies the possible
 * write rate. Nearly all tenants have 1, and pay nothing for it. It may be raised while the tenant
 * works, and is never lowered.
 *
 * <p>Anything with an identifier stays under the spread in force when the identifier was minted,
 * however late it is written. So if a request is repeated after a raise, it writes to the same
 * place as before.
 *
 * @param before the number in force until {@code since}
 * @param shards the number in force from then on: a power of two up to {@value #MOST}
 */
public record Spread(int before, Instant since, int shards) {
  public static final int MOST = 32;

  public static final Spread ONE = of(1);

  /**
   * Delay before a raise takes effect. By then, no request uses a spread that was read before the
   * raise.
   */
  public static final Duration NOTICE = Duration.ofMinutes(5);

  /**
   * Minimum time between two raises. A request's identifiers may be up to this much older than a
   * raise.
   */
  public static final Duration PAUSE = Duration.ofHours(25);

  public Spread {
    if (!isSpread(shards) || !isSpread(before) || before > shards) {
      throw new IllegalArgumentException(
          "A spread cannot go from " + before + " to " + shards + ".");
    }
  }

  /** A spread in force from the beginning. */
  public static Spread of(int shards) {
    return new Spread(shards, Instant.EPOCH, shards);
  }

  public static boolean isSpread(long shards) {
    return shards >= 1 && shards <= MOST && Long.bitCount(shards) == 1;
  }

  /** Returns the number of shards for an identifier that was minted at this instant. */
  public int at(Instant minted) {
    return minted.isBefore(since) ? before : shards;
  }

  /** Returns the keys over which a part of a tenant's data is spread. */
  public List<String> keys(String part) {
    return IntStream.range(0, shards).mapToObj(shard -> key(part, shard)).toList();
  }

  public static String key(String part, int shard) {
    return part + "#" + shard;
  }

  public PlanId plan(String ulid) {
    return PlanId.of(ulid, at(Ids.timeOf(ulid)));
  }

  /** Returns this spread with a raise to the given number, which is decided now. */
  public Spread raised(int more, Instant now) {
    return new Spread(/* before= */ shards, now.plus(NOTICE), /* shards= */ more);
  }

  /** Returns whether the spread may be raised to this number now. */
  public boolean mayBeRaised(int more, Instant now) {
    return isSpread(more) && more > shards && !now.isBefore(since.plus(PAUSE));
  }
}
