package io.actiongovernance.webhook;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Delivery state of an endpoint (specification, Other state sets). */
public enum EndpointStatus {
  ACTIVE,
  /** By the user. */
  DISABLED,
  /** By the service, after sustained failure; only the user ends it. */
  SUSPENDED;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
