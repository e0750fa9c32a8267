package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Availability of a listing for installation (contract, section 5). */
public enum Availability {
  LIVE,
  /** Shown, but cannot be installed yet. */
  EARLY_ACCESS,
  /** Can still be installed, but another should be used instead. */
  DEPRECATED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Availability> parse(String text) {
    return Arrays.stream(values()).filter(value -> value.wire().equals(text)).findFirst();
  }
}
