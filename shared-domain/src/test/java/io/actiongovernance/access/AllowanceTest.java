package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Allowance.Part;
import io.actiongovernance.access.Allowance.Terms;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Reserving and settling the monthly allowance, and changes of its cap (contract, section 6). */
class AllowanceTest {
  private static final int THREADS = 8;

  private final TestTime time = new TestTime();
  private final Ids ids = new Ids(time, new Random(7));
  private final InMemoryStore store = new InMemoryStore();
  private final Allowance allowance = new Allowance(store, time);
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  private final String period = allowance.period();

  private Part part() {
    return new Part(period, ids.next());
  }

  private boolean reserve(int actions) {
    List<ActionId> wanted = new ArrayList<>();
    for (int count = 0; count < actions; count++) {
      wanted.add(ActionId.next(ids));
    }
    return allowance.reserve(partition, part(), wanted);
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
  void onlyWhatAppliedIsUsedAndTheRestIsGivenBack() {
    cap(1L);
    ActionId action = ActionId.next(ids);
    Part first = part();
    assertThat(allowance.reserve(partition, first, List.of(action))).isTrue();
    allowance.release(partition, first, action);
    allowance.release(partition, first, action);
    assertThat(allowance.used(partition, period)).isZero();

    Part second = part();
    assertThat(allowance.reserve(partition, second, List.of(action))).isTrue();
    end(second, action, time.instant());
    assertThat(allowance.used(partition, period)).isEqualTo(1);
    assertThat(reserve(1)).isFalse();
  }

  @Test
  void anActionCountsInTheMonthItApplied() {
    cap(1L);
    ActionId action = ActionId.next(ids);
    Part part = part();
    assertThat(allowance.reserve(partition, part, List.of(action))).isTrue();
    time.pass(Duration.ofDays(31));
    end(part, action, time.instant());
    assertThat(allowance.used(partition, period)).isZero();
    assertThat(allowance.used(partition, allowance.period())).isEqualTo(1);
    assertThat(
            allowance.reserve(
                partition, new Part(allowance.period(), ids.next()), List.of(ActionId.next(ids))))
        .isFalse();
  }

  @Test
  void aCapCanBeRaisedLoweredBelowWhatIsUsedAndTakenAway() {
    assertThat(reserve(5)).isTrue();
    assertThat(cap(3L)).isEqualTo(new Terms(0, 3L));
    assertThat(reserve(1)).isFalse();
    cap(6L);
    assertThat(reserve(1)).isTrue();
    assertThat(reserve(1)).isFalse();
    assertThat(cap(null)).isEqualTo(new Terms(0, null));
    assertThat(reserve(1_000)).isTrue();
  }

  @Test
  void withoutACapNothingIsReservedAndWhatAppliedLeavesNoRoomUnderALaterCap() {
    Part part = allowance.part(allowance.terms(partition), ids.next());
    assertThat(part.period()).isNull();
    List<ActionId> actions = List.of(ActionId.next(ids), ActionId.next(ids));
    assertThat(allowance.reserve(partition, part, actions)).isTrue();
    assertThat(allowance.pending(partition, period)).isEmpty();
    for (ActionId action : actions) {
      end(part, action, time.instant());
    }
    assertThat(allowance.used(partition, period)).isEqualTo(2);
    cap(3L);
    assertThat(reserve(2)).isFalse();
    assertThat(reserve(1)).isTrue();
    assertThat(reserve(1)).isFalse();
  }

  @Test
  void whatIsUnknownTakesRoomInTheNextMonthTooUntilItIsResolved() {
    cap(2L);
    ActionId unknown = ActionId.next(ids);
    ActionId other = ActionId.next(ids);
    Part part = part();
    assertThat(allowance.reserve(partition, part, List.of(unknown, other))).isTrue();
    time.pass(Duration.ofDays(31));
    Part next = new Part(allowance.period(), ids.next());
    assertThat(allowance.reserve(partition, next, List.of(ActionId.next(ids)))).isFalse();

    end(part, other, null);
    assertThat(allowance.reserve(partition, next, List.of(ActionId.next(ids)))).isTrue();
    end(part, unknown, time.instant());
    assertThat(allowance.used(partition, allowance.period())).isEqualTo(1);
    assertThat(
            allowance.reserve(
                partition, new Part(allowance.period(), ids.next()), List.of(ActionId.next(ids))))
        .isFalse();
    assertThat(allowance.pending(partition, period)).isEmpty();
  }

  /** As the transaction does that says what became of the action. */
  private void end(Part part, ActionId action, @Nullable Instant appliedAt) {
    List<Write> writes = allowance.ending(partition, part, action, appliedAt, time.instant());
    assertThat(writes.isEmpty() || store.transact(writes).done()).isTrue();
  }

  @RepeatedTest(20)
  void ofManyAtOnceExactlyAsManyAreLetThroughAsTheCapSays() throws Exception {
    cap(37L);
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int count = 0; count < 100; count++) {
      work.add(() -> reserve(1));
    }
    assertThat(atOnce(work)).filteredOn(let -> let).hasSize(37);
  }

  @RepeatedTest(50)
  void capsChangedAtOnceLeaveTheMonthWithTheCapThatReads() throws Exception {
    List<Callable<Object>> work = new ArrayList<>();
    for (long cap = 1; cap <= 5; cap++) {
      long wanted = cap;
      work.add(() -> cap(wanted));
      work.add(() -> reserve(1));
    }
    List<Object> results = atOnce(work);
    long reserved = results.stream().filter(Boolean.TRUE::equals).count();
    long cap = Objects.requireNonNull(allowance.terms(partition).hardCap());
    long room = Math.max(0, cap - reserved);
    for (long left = room; left > 0; left--) {
      assertThat(reserve(1)).isTrue();
    }
    assertThat(reserve(1)).isFalse();
  }
}
