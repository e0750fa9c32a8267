package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.NewConnector;
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
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/connectors}. */
@Operation(
    summary = "Install a listing",
    tag = Tag.CONNECTORS,
    status = 201,
    answer = ConnectorView.class,
    errors = {
      ErrorCode.STATE_CONFLICT,
      ErrorCode.LISTING_EARLY_ACCESS,
      ErrorCode.AUTH_FAILED,
      ErrorCode.QUOTA_EXCEEDED
    })
public final class InstallConnectorHandler implements RouteHandler<InstallConnectorHandler.Input> {
  private final Installations installations;
  private final Authorizations authorizations;

  public InstallConnectorHandler(Installations installations, Authorizations authorizations) {
    this.installations = installations;
    this.authorizations = authorizations;
  }

  @Whole(doc = "A listing to install.")
  record Input(
      @Field(doc = "The slug of a listing of the marketplace.", example = "cn-sandbox")
          String listingId,
      @Field(doc = ConnectorView.NAME, text = Field.Text.SLUG, example = "sandbox") String name,
      @Field(
              doc = "Configuration according to the listing's `config_schema`; none if left out.",
              as = ObjectNode.class)
          @Nullable UnreadConfig config,
      @Field(
              doc = "Credentials for the source system; none if left out.",
              as = CredentialsForm.class)
          @Nullable Credentials credentials,
      @Field(
              doc =
                  "The workspace that the connector belongs to. If left out, the key's own"
                      + " workspace, or the tenant as a whole if the key has none.",
              text = Field.Text.LINE,
              min = 1,
              max = 100)
          @Nullable String workspaceId) {
    NewConnector wanted() {
      return new NewConnector(listingId, name, workspaceId, config, credentials);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    ConnectorId id = new ConnectorId(ConnectorId.PREFIX + call.mintedId());
    return switch (installations.install(call.caller(), id, input.wanted())) {
      case Done(Connector connector) ->
          Reply.created(
              ConnectorView.of(
                  connector, authorizations.begin(call.caller(), connector).orElse(null)));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
