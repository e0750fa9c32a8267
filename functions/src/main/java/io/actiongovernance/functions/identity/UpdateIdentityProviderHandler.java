package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.IdentityProviderChange;
import io.actiongovernance.identity.ManageIdentityProviders;
import io.actiongovernance.json.Given;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/identity_providers/{idp_id}}. */
@Operation(
    summary = "Update an identity provider",
    description =
        "A new issuer is checked as at creation, and requires the `client_secret` again"
            + " if there is one. The roles of groups are read at each sign-in.",
    tag = Tag.SIGN_IN,
    answer = IdentityProviderView.class,
    errors = {
      ErrorCode.MISSING_PARAMETER,
      ErrorCode.STATE_CONFLICT,
      ErrorCode.CONNECTOR_UPSTREAM_ERROR
    })
public final class UpdateIdentityProviderHandler
    implements RouteHandler<UpdateIdentityProviderHandler.Input> {
  private final ManageIdentityProviders manage;
  private final URI baseUrl;

  UpdateIdentityProviderHandler(ManageIdentityProviders manage, URI baseUrl) {
    this.manage = manage;
    this.baseUrl = baseUrl;
  }

  record Input(
      IdentityProviderId idpId,
      @Field(doc = IdentityProviderView.ISSUER, min = 1, max = 500, format = "uri")
          @Nullable String issuer,
      @Field(doc = IdentityProviderView.CLIENT_ID, min = 1, max = 500) @Nullable String clientId,
      @Field(
              doc = "The client's secret, which no answer shows; null removes it.",
              min = 1,
              max = 2_000)
          Given<String> clientSecret,
      @Field(doc = IdentityProviderView.SCOPES, min = 1, max = 20, eachMax = 100)
          @Nullable List<String> scopes,
      @Field(doc = IdentityProviderView.GROUPS_CLAIM, text = Field.Text.LINE, min = 1, max = 200)
          @Nullable String groupsClaim,
      @Field(doc = IdentityProviderView.ROLE_BINDINGS, max = 100)
          @Nullable List<GroupBindingForm> roleBindings,
      @Field(doc = IdentityProviderView.AGENT_CLIENTS, max = 100)
          @Nullable List<AgentClientForm> agentClients) {
    IdentityProviderChange change() {
      return new IdentityProviderChange(
          issuer,
          clientId,
          clientSecret,
          scopes,
          groupsClaim,
          roleBindings == null
              ? null
              : roleBindings.stream().map(GroupBindingForm::binding).toList(),
          agentClients == null
              ? null
              : agentClients.stream().map(AgentClientForm::client).toList());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        manage.change(call.caller(), input.idpId(), input.change(), call.mintedId()),
        provider -> IdentityProviderView.of(provider, baseUrl));
  }
}
