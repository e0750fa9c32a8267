package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.api.ErrorCode.AUTH_FAILED;
import static io.actiongovernance.functions.api.ErrorCode.LISTING_EARLY_ACCESS;
import static io.actiongovernance.functions.api.ErrorCode.STATE_CONFLICT;

import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.Installed;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ConnectorId;

/** {@code POST /v1/connectors}. */
public final class InstallConnectorHandler implements FieldsHandler {
  private final Installations installations;
  private final Authorizations authorizations;

  public InstallConnectorHandler(Installations installations, Authorizations authorizations) {
    this.installations = installations;
    this.authorizations = authorizations;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    ConnectorId id = new ConnectorId(ConnectorId.PREFIX + call.mintedId());
    return switch (installations.install(call.caller(), id, call.body())) {
      case Installed.Done(Connector connector) ->
          Reply.created(
              ConnectorView.of(
                  connector, authorizations.begin(call.caller(), connector).orElse(null)));
      case Installed.EarlyAccess(Listing listing) ->
          Reply.error(LISTING_EARLY_ACCESS, "The listing " + listing.id() + " is early access.");
      case Installed.NameTaken(String name) ->
          Reply.error(STATE_CONFLICT, "Another connector is named " + name + ".");
      case Installed.QuotaExceeded(int quota) -> Errors.quota(quota);
      case Installed.CredentialsRejected(String error) ->
          Reply.error(AUTH_FAILED, "The source system rejected the credentials: " + error);
    };
  }
}
