package io.actiongovernance.functions.action;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** A person's statement about an action whose outcome is unknown. */
enum SaidOutcome {
  APPLIED,
  NOT_APPLIED;

  static SaidOutcome of(boolean applied) {
    return applied ? APPLIED : NOT_APPLIED;
  }

  @JsonValue
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
