package io.actiongovernance.access;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.greater;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Budgets of requests (specification, Limits; contract, section 1). All reads of a tenant share one
 * item, so that a class and the global ceiling are charged together or not at all. Each class of
 * writes has its own item. A caller's {@link Share} of a bucket is in the bucket's item and charged
 * with it. Requests that must not compete with others are charged only to the caller.
 *
 * <p>A charge first assumes that every bucket is full, and is then one conditional write. If other
 * requests have charged the buckets, it takes at most two more. A refused request charges nothing.
 * Thread-safe.
 */
public final class RateLimits {
  /** Suffix of the partition keys under which tenants and callers are charged. */
  public static final String OF_CALLER = "#rate";

  /** Prefix of the partition keys under which source addresses are charged. */
  public static final String OF_ADDRESS = "address#";

  private static final int IPV6_BYTES = 16;

  /** Time without a request after which a bucket is full and its item may expire. */
  private static final Duration KEPT = Duration.ofHours(1);

  private final Store store;
  private final InstantSource clock;

  public RateLimits(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Result of a charge, for the response's headers.
   *
   * @param limit requests per minute
   * @param remaining whole tokens left
   * @param resetSecond the Unix second at which {@code remaining} is back at {@code limit}
   * @param retryAfter null if the request is admitted; otherwise the whole seconds until it would
   *     be admitted
   */
  public record Charge(int limit, long remaining, long resetSecond, @Nullable Duration retryAfter) {
    public boolean admitted() {
      return retryAfter == null;
    }
  }

  /**
   * Charges a request to its tenant and to the caller's share. A read is charged to the global
   * ceiling too, and to the caller's share of that. Some classes are charged only to the caller.
   */
  public Charge charge(Caller caller, TenantLimits limits, RateClass rateClass, boolean read) {
    String name = rateClass.limitName(read);
    if (!rateClass.isOfTenant()) {
      return chargeCaller(caller.principal(), name, read ? rateClass.reads() : rateClass.writes());
    }
    Gcra bucket = Gcra.ofClass(name, limits.of(rateClass, read));
    String partition = caller.partition().tenant().value() + OF_CALLER;
    if (!read) {
      List<Gcra> buckets =
          rateClass == RateClass.PROPOSE ? withShares(caller, bucket) : leaving(caller, bucket);
      return charge(new Key(Table.LIMITS, partition, name), buckets);
    }
    Gcra global = new Gcra(RateClass.GLOBAL_LIMIT_NAME, limits.globalReads(), limits.globalReads());
    return charge(new Key(Table.LIMITS, partition, "reads"), leaving(caller, bucket, global));
  }

  /**
   * Adds the buckets that all callers limited to half share together. People use the tenant's
   * buckets too, and several agents together must leave some tokens for them.
   */
  private static List<Gcra> leaving(Caller caller, Gcra... buckets) {
    List<Gcra> all = withShares(caller, buckets);
    if (caller.share() == Share.HALF) {
      for (Gcra each : buckets) {
        all.add(each.ofAllShares());
      }
    }
    return all;
  }

  /**
   * Returns the buckets, with the caller's share of each if the caller may not use the whole
   * bucket.
   */
  private static List<Gcra> withShares(Caller caller, Gcra... buckets) {
    List<Gcra> all = new ArrayList<>(List.of(buckets));
    if (caller.share() != Share.WHOLE) {
      for (Gcra each : buckets) {
        all.add(each.share(caller.share(), caller.credential().budget()));
      }
    }
    return all;
  }

  /**
   * Charges a message of the Model Context Protocol. A call is charged to its tenant and its caller
   * together; any other message to its tenant and the caller's share. The global ceiling of reads
   * is not charged, so that agents that list tools cannot use up the reads of others.
   */
  public Charge chargeMessage(Caller caller, TenantLimits limits, boolean read) {
    Gcra bucket = Gcra.ofClass(RateClass.MCP.limitName(read), limits.of(RateClass.MCP, read));
    String partition = caller.partition().tenant().value() + OF_CALLER;
    return charge(
        new Key(Table.LIMITS, partition, bucket.name()),
        read ? withShares(caller, bucket) : List.of(bucket, ofCalls(caller, bucket)));
  }

  /**
   * Returns the bucket of one caller's calls: the limit for every caller, or this caller's share if
   * that is less.
   */
  private static Gcra ofCalls(Caller caller, Gcra bucket) {
    int most = bucket.perMinute();
    int share = caller.share() == Share.HALF ? Math.max(1, most / 2) : most;
    return Gcra.ofClass(
        bucket.name() + Gcra.SHARE + caller.credential().budget(),
        Math.min(share, RateClass.CALLS_OF_A_CALLER));
  }

  /**
   * Charges a request that is refused for its scope only to its key or its person, so that it takes
   * no tokens from others.
   */
  public Charge chargeRefusal(Principal caller) {
    return chargeCaller(caller, "refused", RateClass.REFUSALS);
  }

  private Charge chargeCaller(Principal caller, String name, int perMinute) {
    Key item = new Key(Table.LIMITS, caller.id() + OF_CALLER, name);
    return charge(item, List.of(Gcra.ofClass(name, perMinute)));
  }

  /** Charges a request without a known caller to a budget of its source address. */
  public Charge chargeAddress(String address, AddressBudget budget, int perMinute) {
    Key key = new Key(Table.LIMITS, OF_ADDRESS + network(address), "rate");
    return charge(key, List.of(Gcra.ofClass(budget.bucket(), perMinute)));
  }

  /**
   * Returns the network of an address. For IPv6 these are the first 64 bits, since the holder of
   * one address in such a network has all of them.
   */
  private static String network(String address) {
    try {
      InetAddress literal = InetAddress.ofLiteral(address);
      byte[] bytes = literal.getAddress();
      return bytes.length == IPV6_BYTES
          ? HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2) + "/64"
          : literal.getHostAddress();
    } catch (IllegalArgumentException _) {
      return address;
    }
  }

  private Charge charge(Key key, List<Gcra> buckets) {
    Instant instant = clock.instant();
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    Optional<Item> known = Optional.empty();
    // Terminates: seen from one moment, other requests only move a bucket from full to charged, and
    // from charged to empty.
    while (true) {
      Optional<Charge> refused = refusal(buckets, known, now);
      if (refused.isPresent()) {
        return refused.get();
      }
      Store.Written written = store.write(taking(key, buckets, known, now, instant));
      if (written instanceof Store.Written.Done(Optional<Item> after)) {
        after.ifPresent(item -> dropIdle(item, now));
        return tightest(buckets, after, now);
      }
      known = ((Store.Written.Refused) written).found();
    }
  }

  /**
   * Removes the shares of idle callers. The item of a whole tenant is never idle, so it would keep
   * them permanently.
   */
  private void dropIdle(Item item, long now) {
    long idle = now - ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(KEPT));
    List<String> names =
        item.attributes().keySet().stream()
            .filter(name -> name.contains(Gcra.SHARE) && item.whole(name, now) < idle)
            .toList();
    if (!names.isEmpty()) {
      // If the write is refused, one of these callers is active again; the next charge tries the
      // others.
      store.write(
          Write.update(
              item.key(),
              new Condition.And(names.stream().map(name -> atMost(name, idle)).toList()),
              names.stream().map(Change::remove).toList()));
    }
  }

  /**
   * Returns the result of an admitted request: that of the bucket with the fewest tokens left,
   * except the ceiling.
   */
  private static Charge tightest(List<Gcra> buckets, Optional<Item> after, long now) {
    return buckets.stream()
        .filter(bucket -> !bucket.name().equals(RateClass.GLOBAL_LIMIT_NAME))
        .map(bucket -> told(bucket, arrival(bucket, after), now, null))
        .min(Comparator.comparingLong(Charge::remaining))
        .orElseThrow();
  }

  private static Optional<Charge> refusal(List<Gcra> buckets, Optional<Item> known, long now) {
    return buckets.stream()
        .filter(bucket -> !bucket.admits(arrival(bucket, known), now))
        .max(
            (a, b) ->
                Long.compare(
                    a.retryAfter(arrival(a, known), now), b.retryAfter(arrival(b, known), now)))
        .map(
            bucket -> {
              long arrival = arrival(bucket, known);
              return told(
                  bucket, arrival, now, Duration.ofSeconds(bucket.retryAfter(arrival, now)));
            });
  }

  /**
   * Takes one token from each bucket, if each is still full or still charged as it was when read.
   */
  private static Write taking(
      Key key, List<Gcra> buckets, Optional<Item> known, long now, Instant instant) {
    List<Condition> conditions = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    for (Gcra bucket : buckets) {
      String name = bucket.name();
      if (Gcra.full(arrival(bucket, known), now)) {
        conditions.add(or(lacks(name), atMost(name, now)));
        changes.add(Change.set(name, now + bucket.interval()));
      } else {
        conditions.add(and(greater(name, now), atMost(name, bucket.latest(now))));
        changes.add(Change.add(name, bucket.interval()));
      }
    }
    changes.add(Change.set(Table.EXPIRES, instant.plus(KEPT).getEpochSecond()));
    return Write.update(key, new Condition.And(conditions), changes);
  }

  private static long arrival(Gcra bucket, Optional<Item> item) {
    return item.map(found -> found.whole(bucket.name(), 0)).orElse(0L);
  }

  private static Charge told(Gcra bucket, long arrival, long now, @Nullable Duration retryAfter) {
    return new Charge(
        bucket.perMinute(), bucket.remaining(arrival, now), bucket.reset(arrival, now), retryAfter);
  }
}
