package io.actiongovernance.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** States of a plan that the API shows. An executing plan still reads as proposed. */
public enum PlanStatus {
  PROPOSED,
  EXECUTED,
  VETOED,
  EXPIRED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<PlanStatus> parse(String text) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(text)).findFirst();
  }
}
