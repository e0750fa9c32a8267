package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ConnectorId;

/** {@code DELETE /v1/connectors/{connector_id}}. */
@Operation(
    summary = "Uninstall a connector",
    tag = Tag.CONNECTORS,
    answer = UninstallConnectorHandler.DeletedConnector.class,
    errors = ErrorCode.CONNECTOR_IN_USE)
public final class UninstallConnectorHandler
    implements RouteHandler<UninstallConnectorHandler.Input> {
  private final Installations installations;

  public UninstallConnectorHandler(Installations installations) {
    this.installations = installations;
  }

  record Input(ConnectorId connectorId) {}

  @Doc("The uninstalled connector.")
  record DeletedConnector(
      ConnectorId id,
      @Field(doc = "Always `connector`.", constant = "connector") String object,
      @Field(doc = "Always true.", constant = "true") boolean deleted) {
    static DeletedConnector of(Connector connector) {
      return new DeletedConnector(connector.id(), "connector", true);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        installations.uninstall(call.caller(), input.connectorId(), call.mintedId()),
        DeletedConnector::of);
  }
}
