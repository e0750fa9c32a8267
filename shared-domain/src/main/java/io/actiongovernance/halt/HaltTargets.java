package io.actiongovernance.halt;

import io.actiongovernance.access.Caller;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** What can be halted, as far as a caller reaches it. Thread-safe. */
public final class HaltTargets {
  private final Operators operators;
  private final Connectors connectors;

  public HaltTargets(Operators operators, Connectors connectors) {
    this.operators = operators;
    this.connectors = connectors;
  }

  /** A key bound to operators reaches halts of these alone. */
  static boolean reaches(Caller caller, Target target) {
    String id = target.id();
    return caller.operatorIds().isEmpty()
        || (id != null
            && target.scope() == HaltScope.OPERATOR
            && caller.reaches(new OperatorId(id)));
  }

  /** Whether there is such a target that the caller reaches. */
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
