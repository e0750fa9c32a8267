package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.DataKeys;
import io.actiongovernance.access.InMemoryKeyService;
import io.actiongovernance.access.KeyService;
import io.actiongovernance.access.PurposeKeys;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.event.HookedStore;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.StoreUnavailable;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Before the call is never an outcome: a call counts as begun from its first byte. */
class NotBegunTest {
  private static final Duration DAY = KernelTimes.LONGEST_WAIT;

  /** How often a message is received before it is a dead letter: ten minutes. */
  private static final int RECEIVES = 20;

  private int troubles;
  private boolean throttled;
  private final LoopFixture fixture =
      new LoopFixture(new HookedStore(new InMemoryStore(), _ -> meetThrottle(), Hook.NONE));

  private void meetThrottle() {
    if (throttled) {
      throw new StoreUnavailable("Throttled, on purpose.", null);
    }
  }

  /** Fails so often, when the call has come so far, as a fault of the service's own does. */
  private void failing(int times, boolean begun) {
    troubles = times;
    fixture.source =
        call -> {
          assertThat(begun ? call.permit().begins() : call.permit().stands()).isTrue();
          if (troubles-- > 0) {
            throw new IllegalStateException("On purpose.");
          }
          return new CallResult.Applied(Json.object().put("id", "r1"), "r1");
        };
  }

  private void execute(Dispatch dispatch) {
    fixture.loop.executing().executeAction().execute(dispatch);
  }

  /** What was not disposed is sent again by the sweeper, when its lease would be over too. */
  private void later(Duration time) {
    fixture.time.pass(time);
    fixture.sweep();
    fixture.deliver();
  }

  @Test
  void aFaultOfOursBeforeTheFirstByteEndsNoAction() {
    failing(1, false);
    Plan plan = fixture.propose(fixture.refund("1", 5));
    assertThatIllegalStateException().isThrownBy(fixture::deliver);
    assertThat(fixture.receipts()).isEmpty();
    later(KernelTimes.VISIBILITY);
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
  }

  @Test
  void aFaultOfOursOnceTheFirstByteMayLeaveIsUnknown() {
    failing(1, true);
    fixture.propose(fixture.refund("1", 5));
    assertThatIllegalStateException().isThrownBy(fixture::deliver);
    assertThat(fixture.receipts()).isEmpty();
    later(KernelTimes.VISIBILITY);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("unknown");
    assertThat(fixture.calls).hasSize(1);
  }

  @Test
  void aConnectorDeletedDuringACallKeepsItsSettleTime() {
    Installations installations = fixture.connectors.installations;
    Outcomes.done(
        installations.patch(
            fixture.caller,
            fixture.sandbox.id(),
            ConnectorFixture.change("{'config':{'settle_seconds':150}}"),
            fixture.connectors.ids.next()));
    failing(1, true);
    Plan plan = fixture.propose(fixture.refund("1", 5));
    assertThatIllegalStateException().isThrownBy(fixture::deliver);
    Outcomes.done(
        installations.uninstall(
            fixture.caller, fixture.sandbox.id(), fixture.connectors.ids.next()));
    later(KernelTimes.VISIBILITY);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("unknown");
    EntityLocks locks = new EntityLocks(fixture.connectors.store, fixture.time);
    Action action = fixture.action(plan, 0);
    assertThat(locks.find(action.partition(), action.terms().entityKey()))
        .hasValueSatisfying(
            lock ->
                assertThat(lock.settlesAt()).isEqualTo(fixture.time.instant().plusSeconds(150)));
  }

  @Test
  void anActionNotBegunInADayFailsAsNotAttempted() {
    failing(Integer.MAX_VALUE, false);
    Plan plan = fixture.propose(fixture.refund("1", 5));
    assertThatIllegalStateException().isThrownBy(fixture::deliver);
    Dispatch dispatch = Dispatch.of(fixture.action(plan, 0));
    fixture.time.pass(DAY.minusSeconds(1));
    fixture.loop.executing().executeAction().giveUp(dispatch);
    assertThat(fixture.receipts()).isEmpty();
    fixture.time.pass(Duration.ofSeconds(1));
    fixture.loop.executing().executeAction().giveUp(dispatch);
    assertThat(fixture.receipts())
        .singleElement()
        .satisfies(
            receipt -> {
              assertThat(receipt.outcome().wire()).isEqualTo("failed");
              assertThat(receipt.text("error")).startsWith("not attempted: ");
            });
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void anActionIsPostponedIfItsInvocationHasTooLittleTime() {
    Plan plan = fixture.propose(fixture.refund("1", 500));
    fixture.messagesTakeTheirTime = true;
    assertThat(fixture.approve(plan)).isInstanceOf(Refused.class); // it gave up waiting
    Dispatch dispatch = Dispatch.of(fixture.action(plan, 0));
    Duration least = KernelTimes.FIRST_TRY.plus(KernelTimes.DISPOSAL);
    Instant tooSoon = fixture.time.instant().plus(least).minusMillis(1);
    fixture.loop.executing().executeAction().execute(dispatch, tooSoon);
    assertThat(fixture.calls).isEmpty();
    assertThat(fixture.receipts()).isEmpty();
    fixture.loop.executing().executeAction().execute(dispatch, fixture.time.instant().plus(least));
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
    assertThat(fixture.calls).hasSize(1);
  }

  @Test
  void aCallEndsBeforeItsInvocation() {
    List<Duration> given = new ArrayList<>();
    fixture.source =
        call -> {
          given.add(Duration.between(fixture.time.instant(), call.deadline()));
          return new CallResult.Applied(Json.object().put("id", "r1"), "r1");
        };
    Plan plan = fixture.propose(fixture.refund("1", 500));
    fixture.messagesTakeTheirTime = true;
    assertThat(fixture.approve(plan)).isInstanceOf(Refused.class); // it gave up waiting
    fixture
        .loop
        .executing()
        .executeAction()
        .execute(Dispatch.of(fixture.action(plan, 0)), fixture.time.instant().plusSeconds(10));
    assertThat(given).containsExactly(Duration.ofSeconds(10).minus(KernelTimes.DISPOSAL));
  }

  /** The process stood still between its intent and the first byte of the call. */
  @Test
  void aFirstByteThatWouldLeaveTooLateDoesNotLeave() {
    AtomicBoolean stalls = new AtomicBoolean(true);
    fixture.source =
        call -> {
          if (stalls.getAndSet(false)) {
            fixture.time.pass(KernelTimes.CALL.minus(KernelTimes.FIRST_TRY).plusMillis(1));
          }
          return call.permit().begins()
              ? new CallResult.Applied(Json.object().put("id", "r1"), "r1")
              : new CallResult.Paced(fixture.time.instant());
        };
    fixture.propose(fixture.refund("1", 5));
    fixture.deliver();
    assertThat(fixture.receipts()).isEmpty();
    later(KernelTimes.VISIBILITY);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
  }

  @Test
  void tenMinutesOfThrottlingEndNothingThatWasApproved() {
    Plan plan = fixture.propose(fixture.refund("1", 500));
    fixture.messagesTakeTheirTime = true;
    assertThat(fixture.approve(plan)).isInstanceOf(Refused.class); // it gave up waiting
    Dispatch dispatch = Dispatch.of(fixture.action(plan, 0));
    throttled = true;
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(fixture::deliver);
    for (int receive = 1; receive < RECEIVES; receive++) {
      fixture.time.pass(KernelTimes.VISIBILITY);
      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> execute(dispatch));
    }
    throttled = false;
    fixture.loop.executing().executeAction().giveUp(dispatch);
    assertThat(fixture.receipts()).isEmpty();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTING);
    later(Duration.ofMinutes(1));
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
    assertThat(fixture.calls).hasSize(1);
  }

  /**
   * What seals the result is had before the call: or the call is put off, and nothing came of it.
   */
  @Test
  void aCallIsPostponedIfItsResultCannotBeSealed() {
    AtomicBoolean away = new AtomicBoolean(true);
    KeyService keys = new InMemoryKeyService(new byte[32], new SecureRandom());
    KeyService faulty =
        new KeyService() {
          @Override
          public Made make(Map<String, String> context) {
            if (away.get()) {
              throw new StoreUnavailable("KMS is throttled, on purpose.", null);
            }
            return keys.make(context);
          }

          @Override
          public byte[] unwrap(String wrapped, Map<String, String> context) {
            return keys.unwrap(wrapped, context);
          }
        };
    InMemoryStore store = new InMemoryStore();
    LoopFixture sealing =
        new LoopFixture(
            store,
            new Sealer(
                PurposeKeys.derived(List.of(new byte[32])),
                new DataKeys(store, faulty, true, new TestTime()),
                new SecureRandom()));
    Plan plan = sealing.propose(sealing.refund("1", 5));
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(sealing::deliver);
    assertThat(sealing.calls).isEmpty();
    assertThat(sealing.receipts()).isEmpty();
    away.set(false);
    sealing.time.pass(KernelTimes.VISIBILITY);
    sealing.sweep();
    sealing.deliver();
    assertThat(sealing.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(sealing.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
    assertThat(sealing.calls).hasSize(1);
  }
}
