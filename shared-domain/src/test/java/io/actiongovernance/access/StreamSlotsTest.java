package io.actiongovernance.access;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.StreamSlots.Pool;
import io.actiongovernance.access.StreamSlots.Slot;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.InMemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How many streams a tenant may have open (contract, section 7). */
final class StreamSlotsTest {
  private static final TenantId TENANT = new TenantId("t_" + "0".repeat(26));
  private static final TenantId OTHER = new TenantId("t_" + "1".repeat(26));

  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final StreamSlots slots = new StreamSlots(new InMemoryStore(), () -> now);

  private List<Slot> takeAll() {
    List<Slot> taken = new ArrayList<>();
    for (int at = 0; at < Pool.KEYS.quota(); at++) {
      taken.add(done(slots.take(TENANT, Pool.KEYS, "stream-" + at)));
    }
    return taken;
  }

  @Test
  void aTenantHasTwentyStreamSlots() {
    takeAll();
    assertThat(refusal(slots.take(TENANT, Pool.KEYS, "one-more")))
        .isInstanceOf(Refusal.QuotaExceeded.class);
    assertThat(slots.take(OTHER, Pool.KEYS, "another-tenants")).isInstanceOf(Done.class);
  }

  @Test
  void browsersHaveTenSeparateSlots() {
    takeAll();
    for (int at = 0; at < 10; at++) {
      done(slots.take(TENANT, Pool.SESSIONS, "browser-" + at));
    }
    assertThat(refusal(slots.take(TENANT, Pool.SESSIONS, "one-more")))
        .isInstanceOf(Refusal.QuotaExceeded.class);
  }

  @Test
  void aReleasedSlotIsFree() {
    List<Slot> taken = takeAll();
    slots.release(taken.get(7));
    assertThat(slots.take(TENANT, Pool.KEYS, "one-more")).isInstanceOf(Done.class);
    assertThat(refusal(slots.take(TENANT, Pool.KEYS, "two-more")))
        .isInstanceOf(Refusal.QuotaExceeded.class);
  }

  @Test
  void aSlotThatIsNotRenewedIsFreeAfterItsLease() {
    List<Slot> taken = takeAll();
    now = now.plus(StreamSlots.LEASE).minusMillis(1);
    for (Slot slot : taken.subList(1, taken.size())) {
      assertThat(slots.renew(slot)).isTrue();
    }
    assertThat(refusal(slots.take(TENANT, Pool.KEYS, "one-more")))
        .isInstanceOf(Refusal.QuotaExceeded.class);
    now = now.plusMillis(1);
    assertThat(slots.take(TENANT, Pool.KEYS, "one-more")).isInstanceOf(Done.class);
    assertThat(refusal(slots.take(TENANT, Pool.KEYS, "two-more")))
        .isInstanceOf(Refusal.QuotaExceeded.class);
  }

  @Test
  void aStreamThatSleptPastItsLeaseLosesItsSlotForGood() {
    Slot slept = takeAll().getFirst();
    now = now.plus(StreamSlots.LEASE);
    Slot taken = done(slots.take(TENANT, Pool.KEYS, "another"));
    assertThat(taken.number()).isEqualTo(slept.number());
    assertThat(slots.renew(slept)).isFalse();
    slots.release(slept);
    assertThat(slots.renew(taken)).isTrue();
  }

  @Test
  void concurrentStreamsGetTwentySlots() throws Exception {
    List<Future<Outcome<Slot>>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int at = 0; at < 60; at++) {
        String holder = "stream-" + at;
        all.add(threads.submit(() -> slots.take(TENANT, Pool.KEYS, holder)));
      }
    }
    List<Integer> numbers = new ArrayList<>();
    for (Future<Outcome<Slot>> one : all) {
      if (one.get() instanceof Done<Slot>(Slot slot)) {
        numbers.add(slot.number());
      }
    }
    assertThat(numbers).hasSize(Pool.KEYS.quota()).doesNotHaveDuplicates();
  }
}
