package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ConnectorId;

/** {@code GET /v1/connectors/{connector_id}}. */
@Operation(summary = "Retrieve a connector", tag = Tag.CONNECTORS, answer = ConnectorView.class)
public final class RetrieveConnectorHandler
    implements RouteHandler<RetrieveConnectorHandler.Input> {
  private final Connectors connectors;

  public RetrieveConnectorHandler(Connectors connectors) {
    this.connectors = connectors;
  }

  record Input(ConnectorId connectorId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(connectors.retrieve(call.caller(), input.connectorId()), ConnectorView::of);
  }
}
