package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Names of the conditions of a guardrail, in the order in which explanations show them. */
public enum ConditionName {
  CONNECTOR,
  MIN_VALUE,
  MAX_VALUE,
  CURRENCY,
  ENTITY_KEY,
  MAX_TIER,
  /** One comparison with an argument. */
  ARGS,
  WITHIN;

  /** Returns the name of the guardrail's field. */
  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
