package io.actiongovernance.webhook;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** State of a delivery (specification, Other state sets). */
public enum DeliveryStatus {
  PENDING,
  SUCCEEDED,
  /** All attempts have been used, or the endpoint asked for no more. */
  FAILED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DeliveryStatus> parse(String text) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(text)).findFirst();
  }
}
