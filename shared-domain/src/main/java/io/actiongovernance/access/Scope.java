package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** Rights of a key (specification, Authentication; contract, section 9). */
public enum Scope {
  EVENTS_READ("events:read"),
  EVENTS_WRITE("events:write"),
  OPERATORS_READ("operators:read"),
  OPERATORS_WRITE("operators:write"),
  CONNECTORS_READ("connectors:read"),
  CONNECTORS_WRITE("connectors:write"),
  PLANS_READ("plans:read"),
  PLANS_PROPOSE("plans:propose"),
  PLANS_APPROVE("plans:approve"),
  PLANS_AMEND("plans:amend"),
  ACTIONS_READ("actions:read"),
  ACTIONS_WRITE("actions:write"),
  RESULTS_READ("results:read"),
  RECEIPTS_READ("receipts:read"),
  KEYS_READ("keys:read"),
  KEYS_WRITE("keys:write"),
  WEBHOOKS_READ("webhooks:read"),
  WEBHOOKS_WRITE("webhooks:write"),
  HALTS_READ("halts:read"),
  HALTS_WRITE("halts:write"),
  BILLING_READ("billing:read"),
  BILLING_WRITE("billing:write"),
  PEOPLE_READ("people:read"),
  PEOPLE_WRITE("people:write");

  private final String wire;

  Scope(String wire) {
    this.wire = wire;
  }

  @JsonValue
  public String wire() {
    return wire;
  }

  /** Returns whether it permits only reading. */
  public boolean reads() {
    return wire.endsWith(":read");
  }

  public static Optional<Scope> parse(String text) {
    return Arrays.stream(values()).filter(scope -> scope.wire.equals(text)).findFirst();
  }
}
