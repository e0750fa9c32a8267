package io.actiongovernance.webhook;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Delivery state of an endpoint (specification, Other state sets). */
public enum EndpointStatus {
  ACTIVE,
  /** Disabled by the user. */
  DISABLED,
  /** Suspended by the service after sustained failure. Only the user can end this state. */
  SUSPENDED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
