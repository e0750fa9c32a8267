package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whether a listing may be installed (contract, section 5). */
public enum Availability {
  LIVE,
  /** Shown, but not to be installed yet. */
  EARLY_ACCESS,
  /** May still be installed, but something else should be. */
  DEPRECATED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Availability> parse(String text) {
    return Arrays.stream(values()).filter(value -> value.wire().equals(text)).findFirst();
  }
}
