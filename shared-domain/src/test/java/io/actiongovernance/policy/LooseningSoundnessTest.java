package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rule is sound: a tightening decides no random action less strictly, at any instant, in any
 * state of the limits, at proposal or execution. It is also needed: without any one of its words,
 * it would not be sound.
 */
final class LooseningSoundnessTest {
  private static final int PAIRS = 10_000;
  private static final int ACTIONS = 30;
  private static final int ACTIONS_AGAINST_A_MUTANT = 100;

  private final Random random = new Random(20_261_130);
  private final RandomPolicies policies = new RandomPolicies(random);

  private record Pair(Guardrails before, Guardrails after) {
    boolean tightens() {
      return Loosening.of(before, after).isEmpty();
    }

    @Override
    public String toString() {
      return before.json() + " and then " + after.json();
    }
  }

  @Test
  void aTighteningDecidesNothingLessStrictly() {
    int edited = 0;
    for (int number = 0; number < PAIRS; number++) {
      boolean byTheRules = number % 2 == 0;
      Pair pair = byTheRules ? tightened() : edited();
      assertThat(!byTheRules || pair.tightens()).as("%s", pair).isTrue();
      if (pair.tightens()) {
        edited += byTheRules ? 0 : 1;
        assertThat(looser(pair, ACTIONS)).as("%s", pair).isEmpty();
      }
    }
    assertThat(edited).as("tightenings among the edits").isGreaterThan(PAIRS / 10);
  }

  @Test
  void withoutAnyWordOfTheRuleATighteningDecidesSomethingLessStrictly() {
    Set<LooseningMutant> unknown = EnumSet.allOf(LooseningMutant.class);
    for (int number = 0; number < 4 * PAIRS && !unknown.isEmpty(); number++) {
      Pair pair = edited();
      if (pair.tightens()) {
        continue;
      }
      List<LooseningMutant> mistaken =
          unknown.stream()
              .filter(
                  mutant ->
                      new Pair(pair.before, mutant.forgive(pair.before, pair.after)).tightens())
              .toList();
      if (!mistaken.isEmpty() && looser(pair, ACTIONS_AGAINST_A_MUTANT).isPresent()) {
        unknown.removeAll(mistaken);
      }
    }
    assertThat(unknown).isEmpty();
  }

  private Pair tightened() {
    Guardrails before = policies.set();
    return new Pair(before, policies.tightened(before));
  }

  private Pair edited() {
    Guardrails before = policies.set();
    Guardrails after = random.nextBoolean() ? policies.tightened(before) : before;
    return new Pair(before, policies.edited(after));
  }

  /** An action as it is at its proposal, and as it is when it may be called. */
  private record Trial(Candidate action, Candidate later, boolean approved) {}

  private Trial trial() {
    Candidate action = policies.action();
    return new Trial(action, Given.at(policies.instant(), action), random.nextBoolean());
  }

  /** Returns an action that the later set decides less strictly, if it is among so many. */
  private Optional<Trial> looser(Pair pair, int actions) {
    List<Trial> telling =
        Stream.generate(this::trial)
            .limit(actions)
            .filter(trial -> differs(pair, trial.action) || differs(pair, trial.later))
            .toList();
    if (telling.isEmpty()) {
      return Optional.empty();
    }
    LimitState state = state(pair, telling);
    return telling.stream().filter(trial -> isLooser(pair, state, trial)).findFirst();
  }

  /** Where the same guardrail decides, the sets do not differ. */
  private static boolean differs(Pair pair, Candidate action) {
    return !Objects.equals(
        pair.before.evaluate(action).guardrail(), pair.after.evaluate(action).guardrail());
  }

  private LimitState state(Pair pair, List<Trial> trials) {
    LimitState state = new LimitState();
    Guardrails counting = random.nextInt(3) == 0 ? pair.after : pair.before;
    for (Guardrail guardrail : counting.list()) {
      for (int count = random.nextInt(4); count > 0; count--) {
        state.count(guardrail, trials.get(random.nextInt(trials.size())).action);
        state.pass(random.nextInt(60));
      }
    }
    return state;
  }

  private static boolean isLooser(Pair pair, LimitState state, Trial trial) {
    Evaluation before = state.propose(pair.before, trial.action);
    return isLess(before, state.propose(pair.after, trial.action))
        || (!state.executes(pair.before, before, trial.later, trial.approved)
            && state.executes(pair.after, before, trial.later, trial.approved));
  }

  private static boolean isLess(Evaluation before, Evaluation after) {
    int order = before.verdict().decision().compareTo(after.verdict().decision());
    ApprovalPolicy asked = before.approval();
    ApprovalPolicy asks = after.approval();
    return order > 0 || (order == 0 && asked != null && (asks == null || !asks.isAtLeast(asked)));
  }
}
