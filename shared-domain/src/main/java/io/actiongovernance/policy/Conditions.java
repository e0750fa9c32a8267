package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of an action, besides its tool and connector, for a guardrail to match; null asks
 * nothing (contract, section 3).
 *
 * @param minValue least value, inclusive
 * @param maxValue greatest value, inclusive
 * @param currency what {@code args.currency} must be, to the letter
 * @param entityKey the entity key, or its beginning followed by {@code *}
 * @param maxTier greatest tier of the tool, inclusive
 */
public record Conditions(
    @Nullable BigDecimal minValue,
    @Nullable BigDecimal maxValue,
    @Nullable String currency,
    @Nullable String entityKey,
    @Nullable Integer maxTier,
    List<ArgCondition> args) {
  public Conditions {
    args = List.copyOf(args);
  }

  /** No conditions: they hold of every action. */
  public static Conditions none() {
    return new Conditions(null, null, null, null, null, List.of());
  }

  /** Whether all of them hold. */
  public Held test(Candidate candidate) {
    Held held = testValue(candidate.value());
    if (held == Held.FAILS
        || (maxTier != null && candidate.tier() > maxTier)
        || !meetsEntityKey(candidate.entityKey())) {
      return Held.FAILS;
    }
    if (currency != null) {
      held = held.and(testCurrency(candidate.args(), currency));
    }
    for (int at = 0; at < args.size() && held != Held.FAILS; at++) {
      held = held.and(args.get(at).test(candidate.args()));
    }
    return held;
  }

  private boolean meetsEntityKey(String key) {
    if (entityKey == null) {
      return true;
    }
    int prefix = entityKey.length() - 1;
    return entityKey.endsWith("*")
        ? key.regionMatches(0, entityKey, 0, prefix)
        : key.equals(entityKey);
  }

  private Held testValue(@Nullable BigDecimal value) {
    if (minValue == null && maxValue == null) {
      return Held.HOLDS;
    }
    if (value == null) {
      return Held.UNDECIDABLE;
    }
    return Held.of(
        (minValue == null || value.compareTo(minValue) >= 0)
            && (maxValue == null || value.compareTo(maxValue) <= 0));
  }

  private static Held testCurrency(JsonNode arguments, String currency) {
    JsonNode found = arguments.path("currency");
    return found.isTextual() ? Held.of(currency.equals(found.textValue())) : Held.UNDECIDABLE;
  }
}
