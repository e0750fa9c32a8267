package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ConnectorId;

/** {@code GET /v1/connectors/{connector_id}}. */
public final class RetrieveConnectorHandler implements FieldsHandler {
  private final Connectors connectors;

  public RetrieveConnectorHandler(Connectors connectors) {
    this.connectors = connectors;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return connectors
        .find(call.caller(), call.id("connector_id", ConnectorId::parse))
        .map(connector -> Reply.ok(ConnectorView.of(connector)))
        .orElseGet(() -> Reply.notFound("connector"));
  }
}
