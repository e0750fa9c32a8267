package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.policy.ReservedLimits.Result;
import io.actiongovernance.policy.ReservedLimits.Result.Reserved;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.tally.Reservation;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;

/**
 * Budgets against the plainest model of a sliding window: a list of what counts, and when it began
 * to.
 */
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class BudgetsProperties {
  private static final int MOST_ACTIONS = 4;
  private static final BigDecimal MOST_VALUE = new BigDecimal("10");

  /** A step: time passes, an action is tried, and an earlier one (if it is there) is ended. */
  private record Step(long millis, BigDecimal value, int earlier, End end) {}

  private enum End {
    KEEP,
    RELEASE,
    RESERVE_AGAIN,
    NOTHING
  }

  private static final class Counted {
    private final BigDecimal value;
    private List<Reservation> reservations;
    private long since;
    private boolean settled;
    private boolean released;

    Counted(BigDecimal value, List<Reservation> reservations, long since) {
      this.value = value;
      this.reservations = reservations;
      this.since = since;
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 25_000),
            Arbitraries.of("0", "0.5", "1", "2.25", "4", "10").map(BigDecimal::new),
            Arbitraries.integers().between(0, 5),
            Arbitraries.of(End.values()))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  @Property(tries = 500)
  void aWindowNeverHoldsMoreThanItsLimitAndRefusesNothingThatFits(
      @ForAll("steps") List<Step> steps,
      @ForAll("windows") int seconds,
      @ForAll("spreads") int spread) {
    Limit limit = new Limit(Per.OPERATOR, seconds, (long) MOST_ACTIONS, MOST_VALUE);
    Guardrail guardrail =
        new Guardrail("g", Decision.ALLOW, 1, true, "*.*", null, Conditions.none(), List.of(limit));
    long[] now = {1_700_000_000_000L};
    ReservedLimits limits =
        new ReservedLimits(new InMemoryStore(), spread, () -> Instant.ofEpochMilli(now[0]));
    List<Counted> all = new ArrayList<>();
    for (Step step : steps) {
      now[0] += step.millis();
      end(limits, guardrail, step, all, now[0]);
      Candidate candidate = Given.refund("{}", step.value().toPlainString());
      Optional<Limit> foretold =
          limits
              .budgets
              .exceeded(
                  ReservedLimits.PARTITION,
                  ReservedLimits.OPERATOR,
                  guardrail,
                  candidate,
                  List.of())
              .stream()
              .map(Budgets.Exceeded::limit)
              .findFirst();
      Result reservation = limits.reserve(guardrail, candidate, List.of());
      boolean reserved = reservation instanceof Reserved;
      assertThat(foretold.isEmpty()).isEqualTo(reserved);
      // The window itself, and the same rounded up by a sixtieth (and a millisecond).
      boolean fits = fits(all, step.value(), now[0] - seconds * 1_000L);
      boolean surelyFits = fits(all, step.value(), now[0] - seconds * 1_000L * 61 / 60 - 1);
      assertThat(!reserved || fits).as("never under-counts").isTrue();
      assertThat(reserved || !surelyFits).as("counts for a sixtieth more at most").isTrue();
      if (reservation instanceof Reserved(List<Reservation> reservations)) {
        all.add(new Counted(step.value(), reservations, now[0]));
      }
    }
  }

  @Provide
  Arbitrary<Integer> windows() {
    return Arbitraries.of(1, 7, 60, 100, 3_600);
  }

  @Provide
  Arbitrary<Integer> spreads() {
    return Arbitraries.of(1, 2, 8);
  }

  private static void end(
      ReservedLimits limits, Guardrail guardrail, Step step, List<Counted> all, long now) {
    if (step.earlier() >= all.size()) {
      return;
    }
    Counted earlier = all.get(all.size() - 1 - step.earlier());
    switch (step.end()) {
      case KEEP -> earlier.settled = true;
      case RELEASE -> {
        if (!earlier.settled) {
          limits.giveBack(earlier.reservations);
          earlier.released = true;
          earlier.settled = true;
        }
      }
      case RESERVE_AGAIN -> {
        if (!earlier.settled && inWindow(earlier, now, guardrail)) {
          Candidate candidate = Given.refund("{}", earlier.value.toPlainString());
          Result again = limits.again(guardrail, candidate, List.of(), earlier.reservations);
          assertThat(again).isInstanceOf(Reserved.class);
          earlier.reservations = ((Reserved) again).reservations();
          earlier.since = now;
        }
      }
      case NOTHING -> {}
    }
  }

  private static boolean inWindow(Counted counted, long now, Guardrail guardrail) {
    return counted.since > now - guardrail.limits().getFirst().windowSeconds() * 1_000;
  }

  private static boolean fits(List<Counted> all, BigDecimal value, long after) {
    List<Counted> counting =
        all.stream().filter(one -> !one.released && one.since > after).toList();
    BigDecimal sum = counting.stream().map(one -> one.value).reduce(value, BigDecimal::add);
    return counting.size() < MOST_ACTIONS && sum.compareTo(MOST_VALUE) <= 0;
  }
}
