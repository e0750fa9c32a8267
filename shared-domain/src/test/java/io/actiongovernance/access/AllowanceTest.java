package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Allowance.Part;
import io.actiongovernance.access.Allowance.Terms;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.Reserving;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reserving and settling the monthly allowance, and changes of its cap (contract, section 6). */
class AllowanceTest {
  private static final int THREADS = 8;

  private final TestTime time = new TestTime();
  private final Ids ids = new Ids(time, new Random(7));
  private final InMemoryStore store = new InMemoryStore();

  /** Who loses a race pauses, as anywhere: without that, it may lose any number of them. */
  private final Transactions transactions =
      new Transactions(store, Sleeper.real(), new SplittableRandom(5));

  private final Reserving reserving = new Reserving(transactions);
  private final Allowance allowance =
      new Allowance(store, transactions, new SplittableRandom(6), time);
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);

  /**
   * What an attempt came to.
   *
   * @param stale whether the terms are others by now
   */
  private record Claim(boolean stale, @Nullable Part part) {}

  /** As a claim does it: looks at the terms, and again if they have changed. */
  private @Nullable Part claim(int actions) {
    Claim claim = claim(allowance.terms(partition), actions);
    while (claim.stale()) {
      claim = claim(allowance.terms(partition), actions);
    }
    return claim.part();
  }

  private Claim claim(Terms terms, int actions) {
    Allowance.Reserve reserve = allowance.reserve(partition, terms, actions);
    boolean done = reserving.run(List::of, reserve.entries()).done();
    return new Claim(reserve.isStale(), done ? reserve.part() : null);
  }

  private boolean reserve(int actions) {
    return claim(actions) != null;
  }

  private Part reserved(int actions) {
    return Objects.requireNonNull(claim(actions));
  }

  private void applied(Part part, int place) {
    write(List.of(allowance.applied(partition, part, place, time.instant())));
  }

  private void giveBack(Part part, int place) {
    write(allowance.givingBack(partition, part, place));
  }

  private void write(List<Entry> entries) {
    assertThat(reserving.run(List::of, entries).done()).isTrue();
  }

  private Terms cap(@Nullable Long hardCap) {
    return allowance.cap(partition, hardCap, (_, _) -> receipt());
  }

  /** Something that is inserted with the change. */
  private Write receipt() {
    return Write.insert(
        Item.at(new Key(Table.RECEIPTS, partition.key("config-receipt"), ids.next())).build());
  }

  private static <T> List<T> atOnce(List<Callable<T>> work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<T> results = new ArrayList<>();
      for (Future<T> result : threads.invokeAll(work)) {
        results.add(result.get());
      }
      return results;
    }
  }

  @Test
  void aReservationIsForAllOrNone() {
    cap(3L);
    assertThat(reserve(2)).isTrue();
    assertThat(reserve(2)).isFalse();
    assertThat(reserve(1)).isTrue();
    assertThat(reserve(1)).isFalse();
  }

  @Test
  void onlyAppliedActionsAreUsedAndTheRestIsReturned() {
    cap(2L);
    Part part = reserved(2);
    assertThat(reserve(1)).isFalse();
    giveBack(part, 0);
    applied(part, 1);
    assertThat(allowance.used(partition)).isEqualTo(1);
    assertThat(reserve(1)).isTrue();
    assertThat(reserve(1)).isFalse();
  }

  @Test
  void anActionCountsInTheMonthItApplied() {
    cap(1L);
    Part part = reserved(1);
    time.pass(Duration.ofDays(31));
    applied(part, 0);
    assertThat(allowance.used(partition)).isEqualTo(1);
    assertThat(reserve(1)).isFalse();
    time.pass(Duration.ofDays(31));
    assertThat(allowance.used(partition)).isZero();
    assertThat(reserve(1)).isTrue();
  }

  @Test
  void aCapCanBeRaisedRemovedOrLoweredBelowTheUse() {
    cap(5L);
    Part part = reserved(5);
    for (int place = 0; place < 5; place++) {
      applied(part, place);
    }
    assertThat(cap(3L)).isEqualTo(new Terms(0, 3L));
    assertThat(reserve(1)).isFalse();
    cap(6L);
    assertThat(reserve(1)).isTrue();
    assertThat(reserve(1)).isFalse();
    assertThat(cap(null)).isEqualTo(new Terms(0, null));
    assertThat(reserve(1_000)).isTrue();
  }

  @Test
  void aLoweredCapAdmitsNobodyThroughAnItemWithRoom() {
    cap(80L);
    assertThat(reserve(30)).isTrue();
    cap(30L);
    for (int time = 0; time < 50; time++) {
      assertThat(reserve(1)).isFalse();
    }
  }

  @Test
  void aClaimUnderAnOutdatedCapIsStale() {
    cap(100L);
    Terms before = allowance.terms(partition);
    assertThat(reserve(1)).isTrue();
    cap(1L);
    assertThat(claim(before, 1).stale()).isTrue();
    cap(null);
    assertThat(claim(before, 1).stale()).isTrue();
  }

  @Test
  void useWithoutACapCountsAgainstALaterCap() {
    Part part = reserved(2);
    assertThat(part.items()).isEmpty();
    applied(part, 0);
    applied(part, 1);
    giveBack(part, 0);
    assertThat(allowance.used(partition)).isEqualTo(2);
    cap(3L);
    assertThat(reserve(2)).isFalse();
    assertThat(reserve(1)).isTrue();
    assertThat(reserve(1)).isFalse();
  }

  @Test
  void anUnknownOutcomeTakesRoomInLaterMonthsUntilResolved() {
    cap(2L);
    Part part = reserved(2);
    time.pass(Duration.ofDays(31));
    assertThat(reserve(1)).isFalse();
    giveBack(part, 0);
    assertThat(reserve(1)).isTrue();
    time.pass(Duration.ofDays(62));
    assertThat(reserve(1)).isFalse();
    applied(part, 1);
    assertThat(allowance.used(partition)).isEqualTo(1);
    assertThat(allowance.taken(partition)).isEqualTo(2);
  }

  @Test
  void theUseOfAPastMonthDoesNotCountInTheNext() {
    cap(3L);
    Part part = reserved(3);
    for (int place = 0; place < 3; place++) {
      applied(part, place);
    }
    assertThat(reserve(1)).isFalse();
    time.pass(Duration.ofDays(31));
    assertThat(reserve(3)).isTrue();
    assertThat(reserve(1)).isFalse();
  }

  @Test
  void anActionAppliedLastMonthFreesItsRoomInThisOne() {
    cap(1L);
    Part part = reserved(1);
    Instant applied = time.instant();
    time.pass(Duration.ofDays(31));
    assertThat(reserve(1)).isFalse();
    cap(2L);
    assertThat(reserve(1)).isTrue();
    write(List.of(allowance.applied(partition, part, 0, applied)));
    assertThat(allowance.used(partition)).isZero();
    assertThat(allowance.taken(partition)).isEqualTo(1);
  }

  @RepeatedTest(10)
  void concurrentlyAppliedActionsAreAllCounted() throws Exception {
    List<Callable<Object>> work = new ArrayList<>();
    Part part = reserved(1);
    for (int count = 0; count < 100; count++) {
      work.add(
          () -> {
            applied(part, 0);
            return part;
          });
    }
    atOnce(work);
    assertThat(allowance.used(partition)).isEqualTo(100);
  }

  @RepeatedTest(20)
  void concurrentReservationsAdmitExactlyTheCap() throws Exception {
    cap(37L);
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int count = 0; count < 100; count++) {
      work.add(() -> reserve(1));
    }
    assertThat(atOnce(work)).filteredOn(let -> let).hasSize(37);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 16, 32})
  void aSpreadRaisedMeanwhileStillAdmitsExactlyTheCap(int spread) throws Exception {
    cap(57L);
    Terms before = allowance.terms(partition);
    Terms after = new Terms(0, 57L, Spread.of(spread));
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int count = 0; count < 100; count++) {
      Terms terms = count % 3 == 0 || count < 20 ? before : after;
      work.add(() -> claim(terms, 1).part() != null);
    }
    assertThat(atOnce(work)).filteredOn(let -> let).hasSize(57);
  }

  @RepeatedTest(50)
  void concurrentCapChangesLeaveTheStoredCapInForce() throws Exception {
    List<Callable<Object>> work = new ArrayList<>();
    for (long cap = 1; cap <= 5; cap++) {
      long wanted = cap;
      work.add(() -> cap(wanted));
      work.add(() -> reserve(1));
    }
    atOnce(work);
    long cap = Objects.requireNonNull(allowance.terms(partition).hardCap());
    long room = Math.max(0, cap - allowance.taken(partition));
    for (long left = room; left > 0; left--) {
      assertThat(reserve(1)).isTrue();
    }
    assertThat(reserve(1)).isFalse();
  }
}
