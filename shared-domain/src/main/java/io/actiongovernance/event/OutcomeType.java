package io.actiongovernance.event;

import java.util.Arrays;
import java.util.Optional;

/** Outcomes of a plan, in the order in which they occur. */
public enum OutcomeType {
  PLAN_PROPOSED("plan.proposed", Included.PLANS),
  ACTION_DISPOSED("action.disposed", Included.ACTIONS),
  PLAN_DISPOSED("plan.disposed", Included.PLANS);

  private final String wire;
  private final Included included;

  OutcomeType(String wire, Included included) {
    this.wire = wire;
    this.included = included;
  }

  public String wire() {
    return wire;
  }

  public Included included() {
    return included;
  }

  static Optional<OutcomeType> parse(String text) {
    return Arrays.stream(values()).filter(type -> type.wire.equals(text)).findFirst();
  }
}
