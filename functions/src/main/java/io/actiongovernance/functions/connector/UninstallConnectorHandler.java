package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.Uninstalled;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ConnectorId;

/** {@code DELETE /v1/connectors/{connector_id}}. */
public final class UninstallConnectorHandler implements FieldsHandler {
  private final Installations installations;

  public UninstallConnectorHandler(Installations installations) {
    this.installations = installations;
  }

  record Deleted(String id, String object, boolean deleted) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    ConnectorId id = call.id("connector_id", ConnectorId::parse);
    return switch (installations.uninstall(call.caller(), id, call.mintedId())) {
      case Uninstalled.Done _ -> Reply.ok(new Deleted(id.value(), "connector", true));
      case Uninstalled.NotFound _ -> Reply.notFound("connector");
      case Uninstalled.InUse(String capability) -> Errors.inUse(capability);
    };
  }
}
