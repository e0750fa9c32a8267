package io.actiongovernance.functions.trigger;

/** The types of facts on the bus. */
public enum FactType {
  ENVELOPE_INGESTED("envelope.ingested"),
  PROPOSAL_REQUESTED("proposal.requested"),
  EXPORT_REQUESTED("export.requested"),
  PLAN_PROPOSED("plan.proposed"),
  PLAN_DISPOSED("plan.disposed"),
  PLAN_CLOCK_STARTED("plan.clock_started"),
  PLAN_CLOCK_STOPPED("plan.clock_stopped"),
  /**
   * A plan that a person must approve, whichever policy applies. Channels send notifications about
   * it.
   */
  PLAN_HELD("plan.held"),
  ACTION_NEEDS_APPROVAL("action.needs_approval"),
  ACTION_DISPOSED("action.disposed"),
  APPROVAL_REQUESTED("approval.requested"),
  APPROVAL_VOTED("approval.voted"),
  HALTED("halt.halted"),
  HALT_LIFTED("halt.lifted"),
  RECEIPT_WRITTEN("receipt.written"),
  CONNECTOR_STATUS_CHANGED("connector.status_changed"),
  OPERATOR_SCHEDULE_STOPPED("operator.schedule_stopped"),
  WEBHOOK_ENDPOINT_STATUS_CHANGED("webhook_endpoint.status_changed");

  private final String wire;

  FactType(String wire) {
    this.wire = wire;
  }

  /** The type's name, which is the {@code detail-type} on the bus. */
  public String wire() {
    return wire;
  }
}
