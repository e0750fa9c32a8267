package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * State of a connector in relation to its source system (specification, Other state sets; contract,
 * section 5).
 */
public enum ConnectorStatus {
  CONNECTED,
  /** Several consecutive calls failed upstream; calls are still made. */
  DEGRADED,
  /**
   * Many consecutive calls failed upstream, or the credentials were rejected. A passed test or new
   * credentials end this state.
   */
  ERROR,
  /** The connector's owner must authorise it. */
  PENDING_AUTH;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ConnectorStatus> parse(String text) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(text)).findFirst();
  }
}
