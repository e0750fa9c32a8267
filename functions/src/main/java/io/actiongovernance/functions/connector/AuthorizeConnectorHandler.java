package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ConnectorId;

/** {@code POST /v1/connectors/{connector_id}/authorize}. */
@Operation(
    summary = "Begin the authorisation of a connector",
    description =
        "For credentials of type `oauth2`. Answers with a new `authorization_url` for a"
            + " browser: single-use, and valid for an hour. Any earlier URL is no longer"
            + " valid.",
    tag = Tag.CONNECTORS,
    answer = ConnectorView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class AuthorizeConnectorHandler
    implements RouteHandler<AuthorizeConnectorHandler.Input> {
  private final Authorizations authorizations;

  public AuthorizeConnectorHandler(Authorizations authorizations) {
    this.authorizations = authorizations;
  }

  record Input(ConnectorId connectorId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        authorizations.begin(call.caller(), input.connectorId()),
        begun -> ConnectorView.of(begun.connector(), begun.url()));
  }
}
