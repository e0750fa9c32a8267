package io.actiongovernance.access;

import static io.actiongovernance.access.AddressBudget.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.InMemoryStore;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/**
 * Rate buckets against a bucket that counts its tokens, refilled before each request (contract,
 * section 1, Rate limits).
 */
final class RateLimitsProperties {
  private Instant now = Instant.parse("2026-11-20T21:44:07Z");
  private final RateLimits limits = new RateLimits(new InMemoryStore(), () -> now);
  private final Ids ids = new Ids(() -> now, new Random(1));

  /** Tokens counted in exact fractions; holds at most its capacity. */
  private static final class Model {
    private final BigDecimal capacity;
    private final BigDecimal perMicrosecond;
    private BigDecimal tokens;

    Model(Gcra bucket) {
      capacity = BigDecimal.valueOf(bucket.capacity());
      perMicrosecond =
          BigDecimal.ONE.divide(BigDecimal.valueOf(bucket.interval()), MathContext.DECIMAL128);
      tokens = capacity;
    }

    void pass(long microseconds) {
      tokens = tokens.add(perMicrosecond.multiply(BigDecimal.valueOf(microseconds))).min(capacity);
    }

    boolean holdsOne() {
      // Within the last digits of the fractions, a token counts as whole.
      return tokens.add(new BigDecimal("1e-15")).compareTo(BigDecimal.ONE) >= 0;
    }

    void take() {
      tokens = tokens.subtract(BigDecimal.ONE);
    }

    long whole() {
      return tokens.add(new BigDecimal("1e-15")).longValue();
    }
  }

  @Property(tries = 300)
  void aClassOfWritesIsATokenBucket(
      @ForAll @IntRange(min = 1, max = 5000) int perMinute,
      @ForAll @Size(min = 1, max = 200) List<@LongRange(min = 0, max = 3_000_000) Long> pauses) {
    TenantId tenant = TenantId.next(ids);
    TenantLimits of = TenantLimits.defaultsWith(Map.of("plans.write", perMinute));
    Model model = new Model(Gcra.ofClass("plans.write", perMinute));
    for (long pause : pauses) {
      now = now.plusNanos(pause * 1000);
      model.pass(pause);
      Charge charge = limits.charge(tenant, of, RateClass.PLANS, false);
      assertThat(charge.admitted()).isEqualTo(model.holdsOne());
      if (charge.admitted()) {
        model.take();
      }
      assertThat(charge.remaining()).isEqualTo(model.whole());
      assertThat(charge.limit()).isEqualTo(perMinute);
    }
  }

  @Property(tries = 300)
  void aReadIsChargedToItsClassAndTheCeilingOrToNeither(
      @ForAll @IntRange(min = 1, max = 20) int perMinute,
      @ForAll @IntRange(min = 1, max = 30) int ceiling,
      @ForAll @Size(min = 1, max = 150) List<@LongRange(min = 0, max = 4_000_000) Long> pauses) {
    TenantId tenant = TenantId.next(ids);
    TenantLimits of =
        TenantLimits.defaultsWith(
            Map.of("plans.read", perMinute, "events.read", perMinute, "global.read", ceiling));
    Model global = new Model(new Gcra("global.read", ceiling, ceiling));
    Map<RateClass, Model> models =
        Map.of(
            RateClass.PLANS, new Model(Gcra.ofClass("plans.read", perMinute)),
            RateClass.EVENTS, new Model(Gcra.ofClass("events.read", perMinute)));
    for (long pause : pauses) {
      now = now.plusNanos(pause * 1000);
      global.pass(pause);
      models.values().forEach(each -> each.pass(pause));
      RateClass rateClass = pause % 2 == 0 ? RateClass.PLANS : RateClass.EVENTS;
      Model own = Objects.requireNonNull(models.get(rateClass));
      boolean admitted = limits.charge(tenant, of, rateClass, true).admitted();
      assertThat(admitted).isEqualTo(own.holdsOne() && global.holdsOne());
      if (admitted) {
        own.take();
        global.take();
      }
    }
  }

  @Property(tries = 300)
  void whoeverWaitsAsToldIsAdmittedAndASecondLessIsTooEarly(
      @ForAll @IntRange(min = 1, max = 300) int perMinute,
      @ForAll @LongRange(min = 0, max = 999_999) long offset) {
    now = now.plusNanos(offset * 1000);
    TenantId tenant = TenantId.next(ids);
    TenantLimits of = TenantLimits.defaultsWith(Map.of("plans.write", perMinute));
    Charge charge = limits.charge(tenant, of, RateClass.PLANS, false);
    while (charge.admitted()) {
      charge = limits.charge(tenant, of, RateClass.PLANS, false);
    }
    Duration wait = Objects.requireNonNull(charge.retryAfter());
    assertThat(wait.toSeconds()).isPositive();
    if (wait.toSeconds() > 1) {
      now = now.plus(wait).minusSeconds(1);
      assertThat(limits.charge(tenant, of, RateClass.PLANS, false).admitted()).isFalse();
      now = now.plusSeconds(1);
    } else {
      now = now.plus(wait);
    }
    assertThat(limits.charge(tenant, of, RateClass.PLANS, false).admitted()).isTrue();
  }

  @Property(tries = 300)
  void atTheResetRemainingIsBackAtTheLimit(
      @ForAll @IntRange(min = 1, max = 300) int perMinute,
      @ForAll @IntRange(min = 1, max = 600) int requests,
      @ForAll @LongRange(min = 0, max = 999_999) long offset) {
    now = now.plusNanos(offset * 1000);
    Gcra bucket = Gcra.ofClass("plans.write", perMinute);
    long at = now.getEpochSecond() * 1_000_000 + offset;
    long taken = Math.min(requests, bucket.capacity());
    long arrival = at + taken * bucket.interval();
    long reset = bucket.reset(arrival, at);
    if (bucket.remaining(arrival, at) >= perMinute) {
      assertThat(reset).isEqualTo(now.getEpochSecond());
    } else {
      assertThat(bucket.remaining(arrival, reset * 1_000_000)).isGreaterThanOrEqualTo(perMinute);
      assertThat(bucket.remaining(arrival, (reset - 1) * 1_000_000)).isLessThan(perMinute);
    }
  }

  @Example
  void aQuietMinuteLeavesTwiceTheLimit() {
    TenantId tenant = TenantId.next(ids);
    TenantLimits of = TenantLimits.defaultsWith(Map.of());
    assertThat(limits.charge(tenant, of, RateClass.PLANS, false).remaining()).isEqualTo(239);
    assertThat(limits.charge(tenant, of, RateClass.INGEST, false).remaining()).isEqualTo(1199);
    assertThat(limits.charge(tenant, of, RateClass.EVENTS, true).remaining()).isEqualTo(1999);
  }

  @Example
  void addressesHaveBucketsOfTheirOwn() {
    assertThat(isUsedUp("192.0.2.1", KEYS)).isTrue();
    assertThat(limits.chargeAddress("192.0.2.2", KEYS, 2).admitted()).isTrue();
  }

  private boolean isUsedUp(String address, AddressBudget budget) {
    for (int count = 0; count < 4; count++) {
      assertThat(limits.chargeAddress(address, budget, 2).admitted()).isTrue();
    }
    return !limits.chargeAddress(address, budget, 2).admitted();
  }

  @Example
  void theBudgetsOfAnAddressAreUsedUpEachForItself() {
    for (AddressBudget budget : AddressBudget.values()) {
      assertThat(isUsedUp("192.0.2.1", budget)).isTrue();
    }
  }

  @Example
  void addressesOfOneIpv6NetworkShareTheirBudgets() {
    assertThat(isUsedUp("2001:db8:0:1::1", KEYS)).isTrue();
    assertThat(limits.chargeAddress("2001:DB8::1:ffff:0:0:2", KEYS, 2).admitted()).isFalse();
    assertThat(limits.chargeAddress("2001:db8:0:2::1", KEYS, 2).admitted()).isTrue();
    assertThat(isUsedUp("::ffff:192.0.2.1", KEYS)).isTrue();
    assertThat(limits.chargeAddress("192.0.2.1", KEYS, 2).admitted()).isFalse();
    assertThat(limits.chargeAddress("::ffff:192.0.2.2", KEYS, 2).admitted()).isTrue();
    assertThat(limits.chargeAddress("unknown", KEYS, 2).admitted()).isTrue();
  }
}
