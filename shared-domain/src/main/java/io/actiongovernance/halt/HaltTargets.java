package io.actiongovernance.halt;

import io.actiongovernance.access.Caller;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** Targets that can be halted, within a caller's reach. Thread-safe. */
public final class HaltTargets {
  private final Operators operators;
  private final Connectors connectors;

  public HaltTargets(Operators operators, Connectors connectors) {
    this.operators = operators;
    this.connectors = connectors;
  }

  /**
   * Returns whether the caller reaches the target. A key that is bound to operators reaches only
   * its operators.
   */
  static boolean reaches(Caller caller, Target target) {
    String id = target.id();
    return caller.operatorIds().isEmpty()
        || (id != null
            && target.scope() == HaltScope.OPERATOR
            && caller.reaches(new OperatorId(id)));
  }

  /** Returns whether the target exists and the caller reaches it. */
  boolean exists(Caller caller, Target target) {
    String id = target.id();
    if (!reaches(caller, target)) {
      return false;
    }
    return switch (target.scope()) {
      case TENANT -> true;
      case OPERATOR -> operators.find(caller, new OperatorId(String.valueOf(id))).isPresent();
      case CONNECTOR -> connectors.find(caller, new ConnectorId(String.valueOf(id))).isPresent();
    };
  }
}
