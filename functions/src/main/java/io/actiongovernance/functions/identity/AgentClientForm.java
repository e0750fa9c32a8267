package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.identity.AgentClient;
import java.util.List;

/** An issuer's client that is an agent, in the form that requests and responses share. */
@Doc("A client of the issuer that is an agent, and the operators for which it may" + " propose.")
record AgentClientForm(
    @Field(
            doc = "The client, as the issuer knows it.",
            text = Field.Text.LINE,
            min = 1,
            max = 500,
            example = "refund-agent")
        String clientId,
    @Field(
            doc = "The operators that it is bound to.",
            min = 1,
            max = 100,
            example = "[\"op_01m80m2kz0f1q3v5x7y9a2c4e6\"]")
        List<OperatorId> operatorIds) {
  AgentClient client() {
    return new AgentClient(clientId, operatorIds);
  }

  static AgentClientForm of(AgentClient client) {
    return new AgentClientForm(client.clientId(), client.operatorIds());
  }
}
