package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.api.ErrorCode.AUTH_FAILED;
import static io.actiongovernance.functions.api.ErrorCode.STATE_CONFLICT;

import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorChange;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.Patched;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ConnectorId;

/** {@code PATCH /v1/connectors/{connector_id}}. */
public final class UpdateConnectorHandler implements FieldsHandler {
  private final Installations installations;
  private final Authorizations authorizations;

  public UpdateConnectorHandler(Installations installations, Authorizations authorizations) {
    this.installations = installations;
    this.authorizations = authorizations;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    ConnectorChange change = ConnectorChange.read(call.body());
    ConnectorId id = call.id("connector_id", ConnectorId::parse);
    return switch (installations.patch(call.caller(), id, change, call.mintedId())) {
      case Patched.Done(Connector connector) when change.credentials() == null ->
          Reply.ok(ConnectorView.of(connector));
      case Patched.Done(Connector connector) ->
          Reply.ok(
              ConnectorView.of(
                  connector, authorizations.begin(call.caller(), connector).orElse(null)));
      case Patched.NotFound _ -> Reply.notFound("connector");
      case Patched.NameTaken(String name) ->
          Reply.error(STATE_CONFLICT, "Another connector is named " + name + ".");
      case Patched.InUse(String capability) -> Errors.inUse(capability);
      case Patched.CredentialsRejected(String error) ->
          Reply.error(AUTH_FAILED, "The source system rejected the credentials: " + error);
      case Patched.Contended _ ->
          Reply.error(STATE_CONFLICT, "The connector was changed by another request meanwhile.");
    };
  }
}
