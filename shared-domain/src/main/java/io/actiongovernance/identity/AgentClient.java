package io.actiongovernance.identity;

import io.actiongovernance.id.OperatorId;
import java.util.List;

/**
 * A client of the issuer whose access tokens the MCP gateway accepts (contract for people, section
 * 7).
 *
 * @param clientId the client's identifier at the issuer
 */
public record AgentClient(String clientId, List<OperatorId> operatorIds) {
  public AgentClient {
    operatorIds = List.copyOf(operatorIds);
  }
}
