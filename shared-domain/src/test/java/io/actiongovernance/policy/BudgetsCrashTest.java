package io.actiongovernance.policy;

import static io.actiongovernance.policy.Given.guardrail;
import static io.actiongovernance.policy.Given.refund;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.policy.ReserveResult.Reserved;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Budgets when the process dies before or after any of its writes, and when the window turns under
 * load.
 */
class BudgetsCrashTest {
  private static final String BODY = "01jd0000000000000000000000";
  private static final Partition PARTITION = new Partition(new TenantId("t_" + BODY), Mode.LIVE);
  private static final OperatorId OPERATOR = new OperatorId("op_" + BODY);
  private static final Guardrail TWO_LIMITS =
      guardrail(
          """
          'name':'g','decision':'ALLOW','tool':'*.*','limits':[
            {'per':'operator','window_seconds':60,'max_actions':3},
            {'per':'entity','window_seconds':600,'max_value':30}]\
          """);

  private final InMemoryStore sound = new InMemoryStore();
  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");

  /** A store that fails at one write, before or after it took effect. */
  private final class FailingStore implements Store {
    private final boolean afterwards;
    private int writesLeft;

    FailingStore(int writesLeft, boolean afterwards) {
      this.writesLeft = writesLeft;
      this.afterwards = afterwards;
    }

    @Override
    public Written write(Write write) {
      boolean fails = writesLeft-- == 0;
      if (fails && !afterwards) {
        throw failure();
      }
      Written written = sound.write(write);
      if (fails) {
        throw failure();
      }
      return written;
    }

    private static StoreUnavailable failure() {
      return new StoreUnavailable("crashed", new IllegalStateException());
    }

    @Override
    public Optional<Item> get(Key key) {
      return sound.get(key);
    }

    @Override
    public List<Item> getAll(List<Key> keys) {
      return sound.getAll(keys);
    }

    @Override
    public Slice query(Query query) {
      return sound.query(query);
    }

    @Override
    public Transacted transact(List<Write> writes) {
      return sound.transact(writes);
    }
  }

  private static ActionId action(int number) {
    return new ActionId("act_" + BODY.substring(0, 22) + "%04d".formatted(number));
  }

  private ReserveResult reserve(Store store, int number) {
    return new Budgets(store, () -> now)
        .reserve(PARTITION, OPERATOR, action(number), TWO_LIMITS, refund("{}", "10"), List.of());
  }

  private int room(int from) {
    int room = 0;
    while (reserve(sound, from + room) instanceof Reserved) {
      room++;
    }
    return room;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsReservedAgainAfterACrashCountsOnce(boolean afterwards) {
    for (int crash = 0; crash < 8; crash++) {
      // Each round in windows of its own.
      now = now.plusSeconds(3_600);
      boolean crashed = false;
      try {
        reserve(new FailingStore(crash, afterwards), crash);
      } catch (StoreUnavailable e) {
        crashed = true;
      }
      now = now.plusSeconds(crash % 3);
      assertThat(reserve(sound, crash)).isInstanceOf(Reserved.class);
      assertThat(room(100 * (crash + 1))).as("crash at write %s", crash).isEqualTo(2);
      assertThat(crashed).isEqualTo(crash < 6);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsSettledAgainAfterACrashIsReleasedOnce(boolean afterwards) {
    for (int crash = 0; crash < 3; crash++) {
      now = now.plusSeconds(3_600);
      List<String> reservations = ((Reserved) reserve(sound, crash)).reservations();
      try {
        new Budgets(new FailingStore(crash, afterwards), () -> now)
            .settle(action(crash), reservations, false);
      } catch (StoreUnavailable e) {
        assertThat(crash).isLessThan(2);
      }
      new Budgets(sound, () -> now).settle(action(crash), reservations, false);
      assertThat(room(100 * (crash + 1))).as("crash at write %s", crash).isEqualTo(3);
    }
  }

  @Test
  void aWindowThatTurnsUnderLoadReservesExactlyWhatThereIs()
      throws InterruptedException, ExecutionException {
    Guardrail guardrail =
        guardrail(
            "'name':'g','decision':'ALLOW','tool':'*.*','limits':[{'per':'tenant','window_seconds':600,'max_actions':150}]");
    // Time passes with every look at it: a dozen sixtieths and more, yet less than the window.
    AtomicLong millis = new AtomicLong(now.toEpochMilli());
    Budgets budgets = new Budgets(sound, () -> Instant.ofEpochMilli(millis.addAndGet(150)));
    List<Callable<ReserveResult>> attempts = new ArrayList<>();
    for (int at = 0; at < 600; at++) {
      ActionId action = action(at);
      attempts.add(
          () -> {
            ReserveResult reservation =
                budgets.reserve(PARTITION, OPERATOR, action, guardrail, refund(), List.of());
            if (reservation instanceof Reserved(List<String> reservations)) {
              budgets.settle(action, reservations, true);
            }
            return reservation;
          });
    }
    int reserved = 0;
    try (var threads = Executors.newFixedThreadPool(16)) {
      for (Future<ReserveResult> attempt : threads.invokeAll(attempts)) {
        reserved += attempt.get() instanceof Reserved ? 1 : 0;
      }
    }
    assertThat(reserved).isEqualTo(150);
  }
}
