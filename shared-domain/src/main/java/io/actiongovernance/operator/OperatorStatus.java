package io.actiongovernance.operator;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** State of an operator: draft → active ⇄ paused, each → archived (contract, section 4). */
public enum OperatorStatus {
  DRAFT,
  ACTIVE,
  PAUSED,
  ARCHIVED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<OperatorStatus> parse(String text) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(text)).findFirst();
  }
}
