package io.actiongovernance.halt;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Scope of a halt (contract, section 4). */
public enum HaltScope {
  TENANT,
  OPERATOR,
  CONNECTOR;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<HaltScope> parse(String text) {
    return Arrays.stream(values()).filter(value -> value.wire().equals(text)).findFirst();
  }
}
