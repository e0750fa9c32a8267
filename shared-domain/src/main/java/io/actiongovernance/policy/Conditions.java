package io.actiongovernance.policy;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on an action, besides its tool and connector, for a guardrail to match; null imposes
 * none (contract, section 3). A condition on an assertion cannot be evaluated.
 *
 * @param minValue minimum value, inclusive
 * @param maxValue maximum value, inclusive
 * @param currency the exact currency
 * @param entityKey the entity key, or its beginning followed by {@code *}
 * @param maxTier maximum tier of the tool, inclusive
 * @param within times at which it matches
 */
public record Conditions(
    @Nullable BigDecimal minValue,
    @Nullable BigDecimal maxValue,
    @Nullable String currency,
    @Nullable String entityKey,
    @Nullable Integer maxTier,
    List<ArgCondition> args,
    @Nullable Within within) {
  public static final int MAX_CURRENCY = 20;
  public static final int MAX_ENTITY_KEY = 500;
  public static final int MAX_TIER = 3;
  public static final int MAX_ARGS = 50;

  public Conditions {
    args = List.copyOf(args);
  }

  /** Returns empty conditions, which every action meets. */
  public static Conditions none() {
    return new Conditions(null, null, null, null, null, List.of(), null);
  }

  /** Returns one of these conditions without the others, which are none of {@code args}. */
  Conditions only(ConditionName on) {
    return new Conditions(
        on == ConditionName.MIN_VALUE ? minValue : null,
        on == ConditionName.MAX_VALUE ? maxValue : null,
        on == ConditionName.CURRENCY ? currency : null,
        on == ConditionName.ENTITY_KEY ? entityKey : null,
        on == ConditionName.MAX_TIER ? maxTier : null,
        List.of(),
        on == ConditionName.WITHIN ? within : null);
  }

  /** Returns these conditions for a tool of any tier. */
  public Conditions ofAnyTier() {
    return new Conditions(minValue, maxValue, currency, entityKey, null, args, within);
  }

  /**
   * Returns these conditions as an ALLOW applies them. A maximum value without a minimum implies a
   * minimum of 0. Otherwise a negative value would pass as a small one.
   */
  Conditions withLeastValue() {
    return maxValue == null || minValue != null
        ? this
        : new Conditions(BigDecimal.ZERO, maxValue, currency, entityKey, maxTier, args, within);
  }

  /**
   * Returns whether these conditions hold only of actions of which the others hold. Compares them
   * one by one: each of the others must be here unchanged, or with a tighter number.
   */
  boolean narrows(Conditions other) {
    return (other.minValue == null || (minValue != null && minValue.compareTo(other.minValue) >= 0))
        && (other.maxValue == null || (maxValue != null && maxValue.compareTo(other.maxValue) <= 0))
        && (other.maxTier == null || (maxTier != null && maxTier <= other.maxTier))
        && (other.currency == null || other.currency.equals(currency))
        && (other.entityKey == null || other.entityKey.equals(entityKey))
        && (other.within == null || other.within.equals(within))
        && other.args.stream().allMatch(asked -> args.stream().anyMatch(asked::isSameAs));
  }

  public Truth test(Candidate candidate) {
    if (maxTier != null && candidate.tier() > maxTier) {
      return Truth.FAILS;
    }
    if (within != null && !within.contains(candidate.at())) {
      return Truth.FAILS;
    }
    Facts facts = candidate.facts();
    Truth truth = testValue(facts).and(testEntityKey(facts));
    if (currency != null) {
      truth = truth.and(testCurrency(candidate, currency));
    }
    for (int at = 0; at < args.size() && truth != Truth.FAILS; at++) {
      truth = truth.and(args.get(at).test(candidate.args()));
    }
    return truth;
  }

  private Truth testEntityKey(Facts facts) {
    if (entityKey == null) {
      return Truth.HOLDS;
    }
    if (facts.asserts(Assertion.ENTITY_KEY)) {
      return Truth.UNDECIDABLE;
    }
    String key = facts.entityKey().value();
    int prefix = entityKey.length() - 1;
    return Truth.of(
        entityKey.endsWith("*")
            ? key.regionMatches(0, entityKey, 0, prefix)
            : key.equals(entityKey));
  }

  private Truth testValue(Facts facts) {
    if (minValue == null && maxValue == null) {
      return Truth.HOLDS;
    }
    BigDecimal value = facts.value();
    if (value == null || facts.asserts(Assertion.VALUE)) {
      return Truth.UNDECIDABLE;
    }
    return Truth.of(
        (minValue == null || value.compareTo(minValue) >= 0)
            && (maxValue == null || value.compareTo(maxValue) <= 0));
  }

  private static Truth testCurrency(Candidate candidate, String currency) {
    if (candidate.facts().asserts(Assertion.CURRENCY)) {
      return Truth.UNDECIDABLE;
    }
    String said = candidate.currency();
    return said == null ? Truth.UNDECIDABLE : Truth.of(currency.equals(said));
  }
}
