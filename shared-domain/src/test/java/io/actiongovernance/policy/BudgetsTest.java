package io.actiongovernance.policy;

import static io.actiongovernance.policy.Given.guardrail;
import static io.actiongovernance.policy.Given.refund;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.policy.ReservedLimits.Result;
import io.actiongovernance.policy.ReservedLimits.Result.Exceeded;
import io.actiongovernance.policy.ReservedLimits.Result.Reserved;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemSize;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Reservation;
import io.actiongovernance.tally.ReservationEntry;
import io.actiongovernance.tally.Reserving;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of guardrails (contract, section 3), one by one. */
class BudgetsTest {
  private static final String BODY = ReservedLimits.BODY;
  private static final Partition PARTITION = ReservedLimits.PARTITION;
  private static final OperatorId OPERATOR = ReservedLimits.OPERATOR;
  private static final OperatorId OTHER_OPERATOR = new OperatorId("op_" + BODY.replace('d', 'e'));

  private final InMemoryStore store = new InMemoryStore();
  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final ReservedLimits limits = new ReservedLimits(store, 1, () -> now);
  private final Budgets budgets = limits.budgets;

  private static Guardrail limited(String limits) {
    return guardrail("'name':'g','decision':'ALLOW','tool':'*.*','limits':[" + limits + "]");
  }

  private static final Guardrail TWO_A_MINUTE =
      limited("{'per':'operator','window_seconds':60,'max_actions':2}");

  private Result reserve(Guardrail guardrail, Candidate candidate) {
    return limits.reserve(guardrail, candidate, List.of());
  }

  private Result reserve(Guardrail guardrail, Candidate candidate, Limit tolerated) {
    return limits.reserve(guardrail, candidate, List.of(tolerated));
  }

  private static List<Reservation> reservations(Result reservation) {
    assertThat(reservation).isInstanceOf(Reserved.class);
    return ((Reserved) reservation).reservations();
  }

  private Optional<Limit> exceeded(Guardrail guardrail, Candidate candidate, Candidate... before) {
    return use(guardrail, candidate, before).map(Budgets.Exceeded::limit);
  }

  private Optional<Budgets.Exceeded> use(
      Guardrail guardrail, Candidate candidate, Candidate... before) {
    return budgets.exceeded(PARTITION, OPERATOR, guardrail, candidate, List.of(before)).stream()
        .findFirst();
  }

  private static LimitUse use(
      LimitUse.Kind kind, String used, String of, @Nullable Instant since, boolean countable) {
    return new LimitUse(
        Per.OPERATOR, kind, 60, null, new BigDecimal(used), new BigDecimal(of), since, countable);
  }

  /** In a window of 60 seconds a sixtieth is a second. */
  @Test
  void anExceededLimitReportsItsUseInTheCurrentWindow() {
    assertThat(reserve(TWO_A_MINUTE, refund())).isInstanceOf(Reserved.class);
    now = now.plusSeconds(40);
    assertThat(reserve(TWO_A_MINUTE, refund())).isInstanceOf(Reserved.class);
    Instant first = Instant.parse("2026-11-20T21:44:07Z");
    assertThat(use(TWO_A_MINUTE, refund()).orElseThrow().use())
        .isEqualTo(use(LimitUse.Kind.ACTIONS, "2", "2", first, true));
    now = now.plusSeconds(25);
    assertThat(use(TWO_A_MINUTE, refund())).as("the first is forgotten").isEmpty();
    assertThat(use(TWO_A_MINUTE, refund(), refund()).orElseThrow().use())
        .as("what comes before it in the plan counts")
        .isEqualTo(use(LimitUse.Kind.ACTIONS, "2", "2", first.plusSeconds(40), true));
  }

  @Test
  void aLimitSaysWhichOfItsBoundsIsExceededAndWhetherItCanCountTheAction() {
    Guardrail both =
        limited("{'per':'operator','window_seconds':60,'max_actions':2,'max_value':'10.50'}");
    assertThat(reserve(both, refund("{}", "10.25"))).isInstanceOf(Reserved.class);
    Instant since = Instant.parse("2026-11-20T21:44:07Z");
    assertThat(use(both, refund("{}", "0.5")).orElseThrow().use())
        .isEqualTo(use(LimitUse.Kind.VALUE, "10.25", "10.5", since, true));
    assertThat(use(both, refund("{}", "-1")).orElseThrow().use())
        .isEqualTo(use(LimitUse.Kind.VALUE, "10.25", "10.5", since, false));
    assertThat(reserve(both, refund("{}", "0.25"))).isInstanceOf(Reserved.class);
    assertThat(use(both, refund("{}", "0")).orElseThrow().use())
        .isEqualTo(use(LimitUse.Kind.ACTIONS, "2", "2", since, true));
  }

  @Test
  void aLimitThatRefusesACallReportsItsUse() {
    room(TWO_A_MINUTE);
    Budgets.Called called = new Budgets.Called(PARTITION, OPERATOR, TWO_A_MINUTE, refund(), 1);
    ReservationEntry full =
        (ReservationEntry)
            budgets.reserve(called, List.of(), List.of()).orElseThrow().entries().getFirst();
    assertThat(limits.run(full)).isInstanceOf(Reserving.Result.NoRoom.class);
    Instant since = Instant.parse("2026-11-20T21:44:07Z");
    assertThat(budgets.refusing(called, full))
        .isEqualTo(use(LimitUse.Kind.ACTIONS, "2", "2", since, true));
  }

  private int room(Guardrail guardrail) {
    int room = 0;
    while (reserve(guardrail, refund("{}", "1")) instanceof Reserved) {
      room++;
    }
    return room;
  }

  @Test
  void withoutLimitsEverythingIsReservedAndNothingWritten() {
    Guardrail free = limited("");
    assertThat(reserve(free, refund())).isEqualTo(new Reserved(List.of()));
    assertThat(exceeded(free, refund())).isEmpty();
    assertThat(store.everything()).isEmpty();
  }

  @Test
  void exactlyTheLimitedNumberOfActionsIsReserved() {
    assertThat(room(TWO_A_MINUTE)).isEqualTo(2);
    assertThat(reserve(TWO_A_MINUTE, refund())).isEqualTo(new Exceeded());
  }

  @Test
  void valuesAreSummedExactly() {
    Guardrail guardrail = limited("{'per':'operator','window_seconds':60,'max_value':'0.30'}");
    assertThat(reserve(guardrail, refund("{}", "0.1"))).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, refund("{}", "0.2"))).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, refund("{}", "0.000000000000000001")))
        .isInstanceOf(Exceeded.class);
    assertThat(reserve(guardrail, refund("{}", "0"))).isInstanceOf(Reserved.class);
  }

  @Test
  void aSumUsesAllThe38DigitsOfAStoredNumber() {
    Guardrail guardrail =
        limited(
            "{'per':'operator','window_seconds':60,'max_value':'99999999999999999999.999999999999999999'}");
    assertThat(reserve(guardrail, refund("{}", "99999999999999999999.999999999999999998")))
        .isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, refund("{}", "0.000000000000000001")))
        .isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, refund("{}", "0.000000000000000001")))
        .isInstanceOf(Exceeded.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "0.0000000000000000001", "100000000000000000000", "1e400", "1e-400"})
  void aValueThatCannotBeSummedExceedsALimitOfValue(String value) {
    Guardrail guardrail =
        limited("{'per':'operator','window_seconds':60,'max_value':99999999999999999999}");
    Candidate uncountable = refund("{}", value.isEmpty() ? null : value);
    Limit limit = guardrail.limits().getFirst();
    assertThat(exceeded(guardrail, uncountable)).contains(limit);
    assertThat(reserve(guardrail, uncountable)).isEqualTo(new Exceeded());
    assertThat(exceeded(guardrail, refund("{}", "1"), uncountable)).contains(limit);
    assertThat(reserve(guardrail, uncountable, limit)).isInstanceOf(Reserved.class);
  }

  @Test
  void aMissingValueCountsAgainstALimitOfActions() {
    assertThat(reservations(reserve(TWO_A_MINUTE, refund("{}", null)))).hasSize(1);
    assertThat(reservations(reserve(TWO_A_MINUTE, refund("{}", "-1")))).hasSize(1);
    assertThat(reserve(TWO_A_MINUTE, refund("{}", null))).isInstanceOf(Exceeded.class);
  }

  @ParameterizedTest
  @CsvSource({
    "entity, false, true, true, false",
    "tool, true, false, true, false",
    "connector, true, true, false, false",
    "operator, true, true, true, false",
    "tenant, true, true, true, true"
  })
  void eachValueOfPerIsCountedApart(
      String per,
      boolean otherEntityToo,
      boolean otherToolToo,
      boolean otherConnectorToo,
      boolean otherOperatorToo) {
    Guardrail guardrail = limited("{'per':'" + per + "','window_seconds':60,'max_actions':1}");
    Candidate first = refund();
    assertThat(reserve(guardrail, first)).isInstanceOf(Reserved.class);
    assertThat(exceeded(guardrail, first)).isPresent();
    Candidate otherEntity = Given.candidate("pay.refund", 2, "{}", null, "order:7");
    Candidate otherTool = Given.candidate("pay.charge", 2, "{}", null, "order:1042");
    Candidate otherConnector =
        new Candidate(
            Given.OTHER_CONNECTOR,
            first.tool(),
            2,
            first.args(),
            null,
            first.entityKey(),
            first.at());
    assertThat(exceeded(guardrail, otherEntity).isPresent()).isEqualTo(otherEntityToo);
    assertThat(exceeded(guardrail, otherTool).isPresent()).isEqualTo(otherToolToo);
    assertThat(exceeded(guardrail, otherConnector).isPresent()).isEqualTo(otherConnectorToo);
    assertThat(!budgets.exceeded(PARTITION, OTHER_OPERATOR, guardrail, first, List.of()).isEmpty())
        .isEqualTo(otherOperatorToo);
  }

  @Test
  void anotherGuardrailModeOrTenantCountsApart() {
    room(TWO_A_MINUTE);
    Guardrail other =
        guardrail(
            "'name':'h','decision':'ALLOW','tool':'*.*','limits':[{'per':'operator','window_seconds':60,'max_actions':2}]");
    assertThat(exceeded(other, refund())).isEmpty();
    assertThat(
            budgets.exceeded(
                new Partition(PARTITION.tenant(), Mode.TEST),
                OPERATOR,
                TWO_A_MINUTE,
                refund(),
                List.of()))
        .isEmpty();
    assertThat(
            budgets.exceeded(
                new Partition(new TenantId("t_" + BODY.replace('d', 'e')), Mode.LIVE),
                OPERATOR,
                TWO_A_MINUTE,
                refund(),
                List.of()))
        .isEmpty();
  }

  @Test
  void aChangedBoundKeepsTheCount() {
    room(TWO_A_MINUTE);
    Guardrail three = limited("{'per':'operator','window_seconds':60,'max_actions':3}");
    assertThat(room(three)).isEqualTo(1);
  }

  @Test
  void anActionCountsForTheWindowPlusAtMostASixtieth() {
    now = Instant.parse("2026-11-20T21:44:00.999Z");
    assertThat(room(TWO_A_MINUTE)).isEqualTo(2);
    now = Instant.parse("2026-11-20T21:45:00.999Z");
    assertThat(room(TWO_A_MINUTE)).isZero();
    now = Instant.parse("2026-11-20T21:45:01Z");
    assertThat(exceeded(TWO_A_MINUTE, refund())).isEmpty();
    assertThat(room(TWO_A_MINUTE)).isEqualTo(2);
  }

  @Test
  void theWindowSlides() {
    now = Instant.parse("2026-11-20T21:44:00Z");
    reserve(TWO_A_MINUTE, refund());
    now = Instant.parse("2026-11-20T21:44:30Z");
    reserve(TWO_A_MINUTE, refund());
    now = Instant.parse("2026-11-20T21:45:01Z");
    assertThat(room(TWO_A_MINUTE)).isEqualTo(1);
    now = Instant.parse("2026-11-20T21:45:31Z");
    assertThat(room(TWO_A_MINUTE)).isEqualTo(1);
  }

  @Test
  void aWindowOfOneSecondSlidesToo() {
    Guardrail one = limited("{'per':'operator','window_seconds':1,'max_actions':1}");
    now = Instant.EPOCH;
    assertThat(room(one)).isEqualTo(1);
    now = Instant.ofEpochMilli(1_016);
    assertThat(room(one)).isZero();
    now = Instant.ofEpochMilli(1_017);
    assertThat(room(one)).isEqualTo(1);
  }

  @Test
  void aClockThatIsBehindCountsInTheNewestSixtieth() {
    reserve(TWO_A_MINUTE, refund());
    Instant ahead = now;
    now = ahead.minusSeconds(30);
    assertThat(reserve(TWO_A_MINUTE, refund())).isInstanceOf(Reserved.class);
    assertThat(reserve(TWO_A_MINUTE, refund())).isInstanceOf(Exceeded.class);
    now = ahead.plusSeconds(60);
    assertThat(exceeded(TWO_A_MINUTE, refund())).isPresent();
  }

  @Test
  void aRepeatedCallCountsOnceFromItsLatestTime() {
    Guardrail one = limited("{'per':'operator','window_seconds':60,'max_actions':1}");
    List<Reservation> first = reservations(reserve(one, refund()));
    now = now.plusSeconds(50);
    List<Reservation> second = reservations(limits.again(one, refund(), List.of(), first));
    now = now.plusSeconds(50);
    assertThat(exceeded(one, refund())).isPresent();
    limits.giveBack(second);
    assertThat(exceeded(one, refund())).isEmpty();
  }

  @Test
  void aCallRepeatedAfterItsWindowNeedsRoom() {
    Guardrail one = limited("{'per':'operator','window_seconds':10,'max_actions':1}");
    List<Reservation> first = reservations(reserve(one, refund()));
    now = now.plusSeconds(11);
    assertThat(limits.again(one, refund(), List.of(), first)).isInstanceOf(Reserved.class);
    assertThat(limits.again(one, refund(), List.of(), first)).isEqualTo(new Exceeded());
  }

  @Test
  void aRepeatedCallKeepsReservationsOfOtherGuardrails() {
    List<Reservation> first = reservations(reserve(TWO_A_MINUTE, refund()));
    Guardrail other =
        guardrail(
            "'name':'h','decision':'ALLOW','tool':'*.*','limits':[{'per':'operator','window_seconds':60,'max_actions':2}]");
    List<Reservation> both = reservations(limits.again(other, refund(), List.of(), first));
    assertThat(both).hasSize(2).containsAll(first);
    limits.giveBack(both);
    assertThat(room(TWO_A_MINUTE)).isEqualTo(2);
    assertThat(room(other)).isEqualTo(2);
  }

  @Test
  void aReturnedReservationIsFreeAgain() {
    Guardrail guardrail =
        limited("{'per':'operator','window_seconds':60,'max_actions':2,'max_value':10}");
    List<Reservation> reservations = reservations(reserve(guardrail, refund("{}", "9.50")));
    assertThat(reserve(guardrail, refund("{}", "1"))).isInstanceOf(Exceeded.class);
    limits.giveBack(reservations);
    assertThat(reserve(guardrail, refund("{}", "10"))).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, refund("{}", "0"))).isInstanceOf(Reserved.class);
    assertThat(reserve(guardrail, refund("{}", "0"))).isInstanceOf(Exceeded.class);
  }

  @Test
  void returningAReservationOutsideTheWindowChangesNothing() {
    List<Reservation> reservations = reservations(reserve(TWO_A_MINUTE, refund()));
    now = now.plusSeconds(3_600);
    reserve(TWO_A_MINUTE, refund());
    limits.giveBack(reservations);
    assertThat(room(TWO_A_MINUTE)).isEqualTo(1);
  }

  @Test
  void returningAReservationToADeletedItemChangesNothing() {
    limits.giveBack(List.of(new Reservation("nowhere#0", 1, 1, BigDecimal.ONE)));
    assertThat(store.everything()).isEmpty();
  }

  @Test
  void aSecondLimitThatRefusesReleasesTheFirst() {
    Guardrail both =
        limited(
            "{'per':'operator','window_seconds':60,'max_actions':5},{'per':'entity','window_seconds':60,'max_actions':1}");
    assertThat(reserve(both, refund())).isInstanceOf(Reserved.class);
    assertThat(reserve(both, refund())).isEqualTo(new Exceeded());
    assertThat(reserve(both, refund())).isEqualTo(new Exceeded());
    Guardrail first = limited("{'per':'operator','window_seconds':60,'max_actions':5}");
    assertThat(room(first)).isEqualTo(4);
  }

  @Test
  void aToleratedLimitCountsAndDoesNotRefuse() {
    Limit limit = TWO_A_MINUTE.limits().getFirst();
    room(TWO_A_MINUTE);
    List<Reservation> reservations = reservations(reserve(TWO_A_MINUTE, refund(), limit));
    Guardrail three = limited("{'per':'operator','window_seconds':60,'max_actions':3}");
    assertThat(room(three)).isZero();
    limits.giveBack(reservations);
    assertThat(room(three)).isEqualTo(1);
  }

  @Test
  void toleranceAppliesToExactlyThatLimit() {
    Guardrail both =
        limited(
            "{'per':'operator','window_seconds':60,'max_actions':0},{'per':'entity','window_seconds':60,'max_actions':0}");
    assertThat(reserve(both, refund(), both.limits().getFirst())).isEqualTo(new Exceeded());
    Guardrail changed = limited("{'per':'operator','window_seconds':60,'max_actions':1}");
    reserve(changed, refund());
    assertThat(reserve(changed, refund(), both.limits().getFirst())).isInstanceOf(Exceeded.class);
  }

  @Test
  void aLimitOfZeroIsAlwaysExceeded() {
    Guardrail none = limited("{'per':'tool','window_seconds':60,'max_actions':0}");
    assertThat(exceeded(none, refund())).isPresent();
    assertThat(reserve(none, refund())).isInstanceOf(Exceeded.class);
  }

  @Test
  void aProposalCountsTheActionsBeforeItInItsPlanAndWritesNothing() {
    assertThat(exceeded(TWO_A_MINUTE, refund(), refund())).isEmpty();
    assertThat(exceeded(TWO_A_MINUTE, refund(), refund(), refund())).isPresent();
    Guardrail perEntity = limited("{'per':'entity','window_seconds':60,'max_value':10}");
    Candidate elsewhere = Given.candidate("pay.refund", 2, "{}", "9", "order:7");
    assertThat(exceeded(perEntity, refund("{}", "9"), elsewhere)).isEmpty();
    assertThat(exceeded(perEntity, refund("{}", "9"), refund("{}", "1"))).isEmpty();
    assertThat(exceeded(perEntity, refund("{}", "9"), refund("{}", "1.01"))).isPresent();
    assertThat(store.everything()).isEmpty();
  }

  @Test
  void budgetsExpireAfterTheirWindow() {
    reserve(TWO_A_MINUTE, refund());
    assertThat(store.everything())
        .allSatisfy(item -> assertThat(item.key().table()).isEqualTo(Table.LIMITS))
        .allSatisfy(
            item ->
                assertThat(item.whole(Table.EXPIRES, 0))
                    .isGreaterThan(now.plusSeconds(61).getEpochSecond()));
  }

  @Test
  void anItemDoesNotGrowWithItsCount() {
    Guardrail many =
        limited("{'per':'operator','window_seconds':60,'max_actions':1000000,'max_value':1000000}");
    for (int at = 0; at < 600; at++) {
      now = now.plusMillis(250);
      reserve(many, refund("{}", "123.45"));
    }
    Item item = store.everything().getFirst();
    assertThat(ItemSize.of(item)).isLessThan(1_024);
  }

  @Test
  void concurrentAddsToAnUpToDateItemDoNotConflict() {
    Guardrail guardrail = limited("{'per':'operator','window_seconds':60,'max_actions':1000}");
    reserve(guardrail, refund());
    now = now.plusSeconds(1);
    List<Write> tried = new ArrayList<>();
    Store slow =
        new BendingStore(store) {
          @Override
          public Written write(Write write) {
            tried.add(write);
            if (tried.size() > 1 && tried.size() < 10) {
              reserve(guardrail, refund()); // from then on, others are always quicker
            }
            return super.write(write);
          }
        };
    assertThat(new ReservedLimits(slow, 1, () -> now).reserve(guardrail, refund(), List.of()))
        .isInstanceOf(Reserved.class);
    // Of an older step; then outdone by who brought it up to this one; then at once.
    assertThat(tried).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 32})
  void concurrentActionsReserveExactlyTheLimitedValue(int spread)
      throws InterruptedException, ExecutionException {
    Guardrail guardrail =
        limited("{'per':'operator','window_seconds':86400,'max_value':'1000.00'}");
    ReservedLimits many = new ReservedLimits(store, spread, () -> now);
    List<Callable<Result>> attempts = new ArrayList<>();
    for (int at = 0; at < 500; at++) {
      attempts.add(() -> many.reserve(guardrail, refund("{}", "10.00"), List.of()));
    }
    int reserved = 0;
    try (var threads = Executors.newFixedThreadPool(32)) {
      for (Future<Result> attempt : threads.invokeAll(attempts)) {
        reserved += attempt.get() instanceof Reserved ? 1 : 0;
      }
    }
    assertThat(reserved).isEqualTo(100);
  }
}
