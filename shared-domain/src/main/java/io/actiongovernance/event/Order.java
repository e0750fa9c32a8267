package io.actiongovernance.event;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Which way a list of events goes through the log. */
public enum Order {
  /** Oldest first. */
  ASC,
  /** Newest first. */
  DESC;

  public static Optional<Order> parse(String text) {
    return Arrays.stream(values())
        .filter(order -> order.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst();
  }
}
