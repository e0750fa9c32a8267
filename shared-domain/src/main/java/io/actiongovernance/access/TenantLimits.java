package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A tenant's requests per minute by limit name, such as {@code plans.write}. Every name has a
 * number from the tenant's creation on, so that later defaults do not lower it (contract, section
 * 1, Rate limits).
 */
public record TenantLimits(@JsonValue Map<String, Integer> perMinute) {
  /** Maximum limit that a tenant may be given. */
  public static final int MOST = 1_000_000;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public TenantLimits {
    perMinute = Collections.unmodifiableMap(new TreeMap<>(perMinute));
  }

  /** Returns the current defaults, except for the limits that are given by name. */
  public static TenantLimits defaultsWith(Map<String, Integer> given) {
    Map<String, Integer> all = new TreeMap<>();
    for (RateClass each : RateClass.values()) {
      if (each.isOfTenant()) {
        all.put(each.limitName(true), each.reads());
        all.put(each.limitName(false), each.writes());
      }
    }
    all.put(RateClass.GLOBAL_LIMIT_NAME, RateClass.GLOBAL_READS);
    given.forEach(
        (name, limit) -> {
          if (!all.containsKey(name) || limit < 1 || limit > MOST) {
            throw new IllegalArgumentException(
                "The limit is unknown or out of range: " + name + "=" + limit + ".");
          }
          all.put(name, limit);
        });
    follow(all, given, RateClass.PROPOSE, RateClass.PLANS);
    follow(all, given, RateClass.TRIAL, RateClass.OPERATORS);
    return new TenantLimits(all);
  }

  /** Gives a class the same number of writes as another class, unless its own number is given. */
  private static void follow(
      Map<String, Integer> all, Map<String, Integer> given, RateClass rateClass, RateClass other) {
    String name = rateClass.limitName(false);
    if (!given.containsKey(name)) {
      all.put(name, all.get(other.limitName(false)));
    }
  }

  /** Returns the requests per minute of a class. */
  public int of(RateClass rateClass, boolean read) {
    int otherwise = read ? rateClass.reads() : rateClass.writes();
    return perMinute.getOrDefault(rateClass.limitName(read), otherwise);
  }

  /** Returns the reads per minute across all classes. */
  public int globalReads() {
    return perMinute.getOrDefault(RateClass.GLOBAL_LIMIT_NAME, RateClass.GLOBAL_READS);
  }
}
