package io.actiongovernance.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Direction in which a list of events goes through the log. */
public enum Order {
  /** Newest first. */
  DESC,
  /** Oldest first. */
  ASC;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Order> parse(String text) {
    return Arrays.stream(values()).filter(order -> order.wire().equals(text)).findFirst();
  }
}
