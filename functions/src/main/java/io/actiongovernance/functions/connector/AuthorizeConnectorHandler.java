package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.api.ErrorCode.STATE_CONFLICT;

import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.Authorizations.Begun;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ConnectorId;
import java.net.URI;

/** {@code POST /v1/connectors/{connector_id}/authorize}. */
public final class AuthorizeConnectorHandler implements FieldsHandler {
  private final Authorizations authorizations;

  public AuthorizeConnectorHandler(Authorizations authorizations) {
    this.authorizations = authorizations;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    return switch (authorizations.begin(
        call.caller(), call.id("connector_id", ConnectorId::parse))) {
      case Begun.Done(Connector connector, URI url) -> Reply.ok(ConnectorView.of(connector, url));
      case Begun.NotFound _ -> Reply.notFound("connector");
      case Begun.NotToBeAuthorized(String type) ->
          Reply.error(
              STATE_CONFLICT,
              "The connector's credentials are of type " + type + ", which nobody authorises.");
    };
  }
}
