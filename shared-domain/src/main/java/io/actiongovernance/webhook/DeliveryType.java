package io.actiongovernance.webhook;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** Subjects of deliveries (specification, Webhook delivery types; contract, section 8). */
public enum DeliveryType {
  PLAN_PROPOSED("plan.proposed"),
  PLAN_DISPOSED("plan.disposed"),
  ACTION_DISPOSED("action.disposed"),
  ACTION_NEEDS_APPROVAL("action.needs_approval"),
  APPROVAL_REQUESTED("approval.requested"),
  APPROVAL_VOTED("approval.voted"),
  CONNECTOR_STATUS_CHANGED("connector.status_changed"),
  OPERATOR_SCHEDULE_STOPPED("operator.schedule_stopped"),
  RECEIPT_WRITTEN("receipt.written"),
  WEBHOOK_ENDPOINT_STATUS_CHANGED("webhook_endpoint.status_changed");

  private final String wire;

  DeliveryType(String wire) {
    this.wire = wire;
  }

  /** Returns its name in the API, which is also the name of its fact. */
  @JsonValue
  public String wire() {
    return wire;
  }

  public static Optional<DeliveryType> parse(String text) {
    return Arrays.stream(values()).filter(type -> type.wire.equals(text)).findFirst();
  }
}
