package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.WaitSlots.Pool;
import io.actiongovernance.access.WaitSlots.Slot;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How many approvals and undos of a tenant may wait (contract, section 4). */
final class WaitSlotsTest {
  private static final TenantId TENANT = new TenantId("t_" + "0".repeat(26));
  private static final TenantId OTHER = new TenantId("t_" + "1".repeat(26));
  private static final Duration WAIT = Duration.ofSeconds(25);

  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final WaitSlots slots = new WaitSlots(new InMemoryStore(), () -> now, new Random(7));

  private Optional<Slot> take(TenantId tenant, String holder) {
    return slots.take(Pool.ofDecisions(tenant), holder, now.plus(WAIT));
  }

  private List<Slot> takeAll() {
    List<Slot> taken = new ArrayList<>();
    for (int at = 0; at < WaitSlots.QUOTA; at++) {
      taken.add(take(TENANT, "wait-" + at).orElseThrow());
    }
    return taken;
  }

  @Test
  void aTenantHasFiftyWaitSlots() {
    assertThat(takeAll().stream().map(Slot::number)).doesNotHaveDuplicates().hasSize(50);
    assertThat(take(TENANT, "one-more")).isEmpty();
    assertThat(take(OTHER, "another-tenants")).isPresent();
  }

  @Test
  void aReleasedSlotIsFree() {
    List<Slot> taken = takeAll();
    slots.release(taken.get(7));
    assertThat(take(TENANT, "one-more")).map(Slot::number).contains(taken.get(7).number());
    assertThat(take(TENANT, "two-more")).isEmpty();
  }

  @Test
  void slotsOfDeadFunctionsAreFreeOnceTheirWaitsWouldEnd() {
    takeAll();
    now = now.plus(WAIT).minusMillis(1);
    assertThat(take(TENANT, "too-early")).isEmpty();
    now = now.plusMillis(1);
    takeAll();
    assertThat(take(TENANT, "one-more")).isEmpty();
  }

  @Test
  void releasingALapsedSlotDoesNotFreeAnothers() {
    List<Slot> slept = takeAll();
    now = now.plus(WAIT);
    for (int at = 0; at < WaitSlots.QUOTA; at++) {
      assertThat(take(TENANT, "later-" + at)).isPresent();
    }
    slept.forEach(slots::release);
    assertThat(take(TENANT, "one-more")).isEmpty();
  }

  @Test
  void concurrentWaitsGetFiftySlots() throws Exception {
    List<Future<Optional<Slot>>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int at = 0; at < 90; at++) {
        String holder = "wait-" + at;
        all.add(threads.submit(() -> take(TENANT, holder)));
      }
    }
    List<Integer> numbers = new ArrayList<>();
    for (Future<Optional<Slot>> one : all) {
      one.get().map(Slot::number).ifPresent(numbers::add);
    }
    assertThat(numbers).hasSize(WaitSlots.QUOTA).doesNotHaveDuplicates();
  }

  @Test
  void decisionsHaveSlotsThatNoReaderTakes() {
    Pool readers = Pool.ofReaders(TENANT, 3);
    for (int at = 0; at < 3; at++) {
      assertThat(slots.take(readers, "reader-" + at, now.plus(WAIT))).isPresent();
    }
    assertThat(slots.take(readers, "one-more", now.plus(WAIT))).isEmpty();
    takeAll();
  }

  private static Principal key(String digit) {
    return new Principal(Principal.Type.KEY, "key_" + digit.repeat(26), "key", null);
  }

  @Test
  void aKeyHasTenSlotsOfItsOwn() {
    Pool pool = Pool.ofCaller(TENANT, key("0"));
    for (int at = 0; at < WaitSlots.OF_A_CALLER; at++) {
      assertThat(slots.take(pool, "reader-" + at, now.plus(WAIT))).isPresent();
    }
    assertThat(slots.take(pool, "one-more", now.plus(WAIT))).isEmpty();
    Pool another = Pool.ofCaller(TENANT, key("1"));
    assertThat(slots.take(another, "reader", now.plus(WAIT))).isPresent();
  }

  @Test
  void aPoolOfZeroGivesNoSlot() {
    assertThat(slots.take(Pool.ofReaders(TENANT, 0), "reader", now.plus(WAIT))).isEmpty();
  }
}
