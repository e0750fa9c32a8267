package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * State of a connector with respect to its source system (specification, Other state sets;
 * contract, section 5).
 */
public enum ConnectorStatus {
  CONNECTED,
  /** Several calls in a row failed upstream; calls are still made. */
  DEGRADED,
  /**
   * Many calls in a row failed upstream, or the credentials were rejected; a passed test or new
   * credentials end it.
   */
  ERROR,
  /** Its owner must authorise it. */
  PENDING_AUTH;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ConnectorStatus> parse(String text) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(text)).findFirst();
  }
}
