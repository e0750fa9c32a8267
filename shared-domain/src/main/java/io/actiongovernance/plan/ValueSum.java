package io.actiongovernance.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.policy.Assertion;
import io.actiongovernance.policy.Facts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sum of the values that several actions have in one currency.
 *
 * @param currency null for values without a currency
 * @param sum exact; only values of one sign are added, so that no payment hides behind one in the
 *     other direction
 * @param claimed whether any of the values, or its currency, is only the proposer's word
 */
public record ValueSum(@Nullable String currency, BigDecimal sum, boolean claimed) {
  /** Key of the values that are summed together. */
  private record Kind(@Nullable String currency, boolean negative) {}

  /**
   * Returns the sums over these actions. Each kind of sum is at the position of its first value. An
   * action without a value adds nothing.
   */
  public static List<ValueSum> of(List<Action> actions) {
    Map<Kind, ValueSum> sums = new LinkedHashMap<>();
    for (Action action : actions) {
      Facts facts = action.terms().facts();
      BigDecimal value = facts.value();
      if (value != null) {
        boolean claimed = facts.asserts(Assertion.VALUE) || facts.asserts(Assertion.CURRENCY);
        sums.merge(
            new Kind(facts.currency(), value.signum() < 0),
            new ValueSum(facts.currency(), value, claimed),
            ValueSum::plus);
      }
    }
    return new ArrayList<>(sums.values());
  }

  private ValueSum plus(ValueSum other) {
    return new ValueSum(currency, sum.add(other.sum), claimed || other.claimed);
  }
}
