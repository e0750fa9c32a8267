package io.actiongovernance.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Reason for which an open plan waits (contract, section 2). */
public enum WaitingOn {
  APPROVAL,
  EXECUTION,
  LOCK,
  ALLOWANCE;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<WaitingOn> parse(String text) {
    return Arrays.stream(values()).filter(value -> value.wire().equals(text)).findFirst();
  }
}
