package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.ConnectorChange;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.UnreadConfig;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ConnectorId;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/connectors/{connector_id}}. */
@Operation(
    summary = "Update a connector",
    tag = Tag.CONNECTORS,
    answer = ConnectorView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.AUTH_FAILED, ErrorCode.CONNECTOR_IN_USE})
public final class UpdateConnectorHandler implements RouteHandler<UpdateConnectorHandler.Input> {
  private final Installations installations;
  private final Authorizations authorizations;

  public UpdateConnectorHandler(Installations installations, Authorizations authorizations) {
    this.installations = installations;
    this.authorizations = authorizations;
  }

  /** The connector to change, and its new values. */
  @Whole(doc = "Fields that are left out stay as they are.")
  record Input(
      ConnectorId connectorId,
      @Field(doc = ConnectorView.NAME, text = Field.Text.SLUG, example = "sandpit")
          @Nullable String name,
      @Field(
              doc =
                  "Configuration according to the listing's `config_schema`; replaces the present"
                      + " one.",
              as = ObjectNode.class)
          @Nullable UnreadConfig config,
      @Field(
              doc = "Credentials for the source system; replace the present ones.",
              as = CredentialsForm.class)
          @Nullable Credentials credentials) {
    ConnectorChange change() {
      return new ConnectorChange(name, config, credentials);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        installations.patch(call.caller(), input.connectorId(), input.change(), call.mintedId()),
        connector ->
            input.credentials() == null
                ? ConnectorView.of(connector)
                : ConnectorView.of(
                    connector, authorizations.begin(call.caller(), connector).orElse(null)));
  }
}
