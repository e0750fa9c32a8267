package io.actiongovernance.halt;

import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Target of one halt: everything of the tenant in its mode, the actions that one operator proposed,
 * or the calls that go to one connector.
 *
 * @param id the operator or the connector; null for the tenant
 */
public record Target(HaltScope scope, @Nullable String id) {
  public Target {
    if ((scope == HaltScope.TENANT) != (id == null)) {
      throw new IllegalArgumentException("A halt of the tenant has no id, any other has one.");
    }
  }

  /**
   * Returns whether a halt of this target stops calls that the operator proposed for any of the
   * connectors.
   */
  boolean covers(OperatorId operator, Set<ConnectorId> connectors) {
    return switch (scope) {
      case TENANT -> true;
      case OPERATOR -> operator.value().equals(id);
      case CONNECTOR -> connectors.stream().anyMatch(connector -> connector.value().equals(id));
    };
  }
}
