package io.actiongovernance.access;

import static io.actiongovernance.access.AddressBudget.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
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
  private final InMemoryStore store = new InMemoryStore();
  private final RateLimits limits = new RateLimits(store, () -> now);
  private final Ids ids = new Ids(() -> now, new Random(1));

  private Caller caller(TenantId tenant, Role role, OperatorId... bound) {
    return new Caller(
        RequestId.next(ids),
        new Partition(tenant, Mode.LIVE),
        null,
        new Credential.Key(KeyId.next(ids), role.wire(), null),
        role.scopes(),
        null,
        Set.of(bound));
  }

  private Caller admin() {
    return caller(TenantId.next(ids), Role.ADMIN);
  }

  /** How many of these requests are admitted at once. */
  private long admitted(Caller caller, TenantLimits of, RateClass rateClass, boolean read) {
    return Stream.generate(() -> limits.charge(caller, of, rateClass, read))
        .takeWhile(Charge::admitted)
        .count();
  }

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
    Caller caller = admin();
    TenantLimits of = TenantLimits.defaultsWith(Map.of("plans.write", perMinute));
    Model model = new Model(Gcra.ofClass("plans.write", perMinute));
    for (long pause : pauses) {
      now = now.plusNanos(pause * 1000);
      model.pass(pause);
      Charge charge = limits.charge(caller, of, RateClass.PLANS, false);
      assertThat(charge.admitted()).isEqualTo(model.holdsOne());
      if (charge.admitted()) {
        model.take();
      }
      assertThat(charge.remaining()).isEqualTo(model.whole());
      assertThat(charge.limit()).isEqualTo(perMinute);
    }
  }

  @Property(tries = 300)
  void aReadIsChargedToItsClassAndTheCeilingOrNotAtAll(
      @ForAll @IntRange(min = 1, max = 20) int perMinute,
      @ForAll @IntRange(min = 1, max = 30) int ceiling,
      @ForAll @Size(min = 1, max = 150) List<@LongRange(min = 0, max = 4_000_000) Long> pauses) {
    Caller caller = admin();
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
      boolean admitted = limits.charge(caller, of, rateClass, true).admitted();
      assertThat(admitted).isEqualTo(own.holdsOne() && global.holdsOne());
      if (admitted) {
        own.take();
        global.take();
      }
    }
  }

  @Property(tries = 300)
  void aRequestAfterRetryAfterIsAdmittedAndASecondEarlierIsNot(
      @ForAll @IntRange(min = 1, max = 300) int perMinute,
      @ForAll @LongRange(min = 0, max = 999_999) long offset) {
    now = now.plusNanos(offset * 1000);
    Caller caller = admin();
    TenantLimits of = TenantLimits.defaultsWith(Map.of("plans.write", perMinute));
    Charge charge = limits.charge(caller, of, RateClass.PLANS, false);
    while (charge.admitted()) {
      charge = limits.charge(caller, of, RateClass.PLANS, false);
    }
    Duration wait = Objects.requireNonNull(charge.retryAfter());
    assertThat(wait.toSeconds()).isPositive();
    if (wait.toSeconds() > 1) {
      now = now.plus(wait).minusSeconds(1);
      assertThat(limits.charge(caller, of, RateClass.PLANS, false).admitted()).isFalse();
      now = now.plusSeconds(1);
    } else {
      now = now.plus(wait);
    }
    assertThat(limits.charge(caller, of, RateClass.PLANS, false).admitted()).isTrue();
  }

  @Property(tries = 300)
  void theRemainingIsBackAtTheLimitAtTheReset(
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
    Caller caller = admin();
    TenantLimits of = TenantLimits.defaultsWith(Map.of());
    assertThat(limits.charge(caller, of, RateClass.PLANS, false).remaining()).isEqualTo(239);
    assertThat(limits.charge(caller, of, RateClass.INGEST, false).remaining()).isEqualTo(1199);
    assertThat(limits.charge(caller, of, RateClass.EVENTS, true).remaining()).isEqualTo(1999);
  }

  @Property(tries = 100)
  void aBoundKeyTakesHalfOfEachBucketAndLeavesTheOther(
      @ForAll @IntRange(min = 2, max = 300) int perMinute,
      @ForAll @IntRange(min = 2, max = 300) int ceiling,
      @ForAll boolean read) {
    TenantId tenant = TenantId.next(ids);
    Caller bound = caller(tenant, Role.OPERATE, OperatorId.next(ids));
    TenantLimits of =
        TenantLimits.defaultsWith(
            Map.of("plans.read", perMinute, "plans.write", perMinute, "global.read", 2 * ceiling));
    int half = read ? Math.min(perMinute, ceiling) : perMinute;
    assertThat(admitted(bound, of, RateClass.PLANS, read)).isEqualTo(half);
    assertThat(admitted(caller(tenant, Role.ADMIN), of, RateClass.PLANS, read))
        .isEqualTo(read ? Math.min(2 * perMinute, 2 * ceiling) - half : half);
    now = now.plus(Duration.ofMinutes(1));
    assertThat(admitted(bound, of, RateClass.PROPOSE, false)).isEqualTo(perMinute);
    if (!read) {
      assertThat(admitted(bound, of, RateClass.PLANS, false))
          .isBetween(perMinute / 2 - 1L, (long) perMinute / 2);
    }
  }

  @Example
  void boundKeysTakeHalfOfTheProposeAndCallBuckets() {
    TenantId tenant = TenantId.next(ids);
    Caller bound = caller(tenant, Role.AGENT, OperatorId.next(ids));
    TenantLimits of = TenantLimits.defaultsWith(Map.of("propose.write", 10, "mcp.write", 10));
    assertThat(admitted(bound, of, RateClass.PROPOSE, false)).isEqualTo(10);
    for (int count = 0; count < 10; count++) {
      assertThat(limits.chargeMessage(bound, of, false).admitted()).isTrue();
    }
    assertThat(limits.chargeMessage(bound, of, false).admitted()).isFalse();
    assertThat(limits.chargeMessage(caller(tenant, Role.AGENT), of, false).admitted()).isTrue();
    TenantLimits lists = TenantLimits.defaultsWith(Map.of("mcp.read", 4));
    for (int count = 0; count < 4; count++) {
      assertThat(limits.chargeMessage(bound, lists, true).admitted()).isTrue();
    }
    Charge refused = limits.chargeMessage(bound, lists, true);
    assertThat(refused.admitted()).isFalse();
    assertThat(refused.limit()).isEqualTo(2);
    assertThat(limits.chargeMessage(caller(tenant, Role.AGENT), lists, true).admitted()).isTrue();
  }

  @Example
  void anUnboundAgentHasTheWholeRateAndLeavesHalfOfTheReserve() {
    TenantId tenant = TenantId.next(ids);
    Caller agent = caller(tenant, Role.AGENT);
    TenantLimits of = TenantLimits.defaultsWith(Map.of("plans.read", 100, "global.read", 100));
    assertThat(admitted(agent, of, RateClass.PLANS, true)).isEqualTo(50);
    for (int second = 0; second < 60; second++) {
      now = now.plusSeconds(3);
      assertThat(admitted(agent, of, RateClass.PLANS, true)).isEqualTo(5);
    }
    assertThat(admitted(caller(tenant, Role.READ_ONLY), of, RateClass.PLANS, true)).isEqualTo(50);
  }

  @Example
  void theAnswerReportsTheBucketWithTheLeastRemaining() {
    TenantId tenant = TenantId.next(ids);
    Caller bound = caller(tenant, Role.AGENT, OperatorId.next(ids));
    TenantLimits of = TenantLimits.defaultsWith(Map.of());
    Charge own = limits.charge(bound, of, RateClass.PLANS, true);
    assertThat(own.limit()).isEqualTo(500);
    assertThat(own.remaining()).isEqualTo(999);
    admitted(caller(tenant, Role.ADMIN), of, RateClass.PLANS, true);
    admitted(caller(tenant, Role.ADMIN), of, RateClass.EVENTS, true);
    Charge ceiling = limits.charge(bound, of, RateClass.RECEIPTS, true);
    assertThat(ceiling.admitted()).isFalse();
    assertThat(ceiling.limit()).isEqualTo(2000);
  }

  @Example
  void aCallersOwnBucketsChargeNeitherTenantNorCeiling() {
    TenantId tenant = TenantId.next(ids);
    TenantLimits of = TenantLimits.defaultsWith(Map.of("global.read", 1));
    Caller admin = caller(tenant, Role.ADMIN);
    assertThat(admitted(admin, of, RateClass.SELF, true)).isEqualTo(600);
    assertThat(admitted(admin, of, RateClass.SAFETY, false)).isEqualTo(120);
    assertThat(admitted(caller(tenant, Role.ADMIN), of, RateClass.SELF, true)).isEqualTo(600);
    assertThat(limits.charge(admin, of, RateClass.PLANS, true).admitted()).isTrue();
  }

  @Example
  void sharesOfIdleCallersAreRemovedFromTheItem() {
    TenantId tenant = TenantId.next(ids);
    TenantLimits of = TenantLimits.defaultsWith(Map.of());
    Key reads = new Key(Table.LIMITS, tenant.value() + RateLimits.OF_CALLER, "reads");
    for (int count = 0; count < 20; count++) {
      limits.charge(caller(tenant, Role.AGENT, OperatorId.next(ids)), of, RateClass.PLANS, true);
    }
    assertThat(store.get(reads).orElseThrow().attributes()).hasSizeGreaterThan(40);
    now = now.plus(Duration.ofHours(1)).plusSeconds(10);
    Caller last = caller(tenant, Role.AGENT, OperatorId.next(ids));
    limits.charge(last, of, RateClass.PLANS, true);
    assertThat(store.get(reads).orElseThrow().attributes()).hasSize(7);
    assertThat(limits.charge(last, of, RateClass.PLANS, true).remaining()).isEqualTo(998);
  }

  @Example
  void eachAddressHasItsOwnBuckets() {
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
  void theBudgetsOfAnAddressAreIndependent() {
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
