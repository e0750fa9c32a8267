package io.actiongovernance.access;

import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Over how many keys what a tenant writes at once is spread, so that it may be written so many
 * times as often: 1 for nearly all, who pay nothing for it. May be raised while the tenant works,
 * and is never lowered.
 *
 * <p>What has an identifier stays under the spread that was in force when that was minted, however
 * late it is written: so the same request made again after a raise writes to the same place.
 *
 * @param before in force until {@code since}
 * @param since when the raise takes effect
 * @param shards in force from then on: a power of two up to {@value #MOST}
 */
public record Spread(int before, Instant since, int shards) {
  /** The most there can be. */
  public static final int MOST = 32;

  /** One key for everything. */
  public static final Spread ONE = of(1);

  /** After which a raise takes effect: by then all that was read before it has been used. */
  public static final Duration NOTICE = Duration.ofMinutes(5);

  /** Between two raises: for as long, identifiers of requests may be older than a raise. */
  public static final Duration PAUSE = Duration.ofHours(25);

  public Spread {
    if (!isSpread(shards) || !isSpread(before) || before > shards) {
      throw new IllegalArgumentException("No spread: " + before + ", " + shards);
    }
  }

  /** One that was in force from the beginning. */
  public static Spread of(int shards) {
    return new Spread(shards, Instant.EPOCH, shards);
  }

  /** Whether a number may be one. */
  public static boolean isSpread(long shards) {
    return shards >= 1 && shards <= MOST && Long.bitCount(shards) == 1;
  }

  /** How many shards what was minted then is spread over. */
  public int at(Instant minted) {
    return minted.isBefore(since) ? before : shards;
  }

  /** The keys that the lists of a part of a tenant's data are spread over. */
  public List<String> keys(String part) {
    return IntStream.range(0, shards).mapToObj(shard -> key(part, shard)).toList();
  }

  /** The key of one shard of a part of a tenant's data. */
  public static String key(String part, int shard) {
    return part + "#" + shard;
  }

  /** The identifier of a plan with this ULID. */
  public PlanId plan(String ulid) {
    return PlanId.of(ulid, at(Ids.timeOf(ulid)));
  }

  /** Raised to so many, as decided now. */
  public Spread raised(int more, Instant now) {
    return new Spread(/* before= */ shards, now.plus(NOTICE), /* shards= */ more);
  }

  /** Whether it may be raised to so many now. */
  public boolean mayBeRaised(int more, Instant now) {
    return isSpread(more) && more > shards && !now.isBefore(since.plus(PAUSE));
  }
}
