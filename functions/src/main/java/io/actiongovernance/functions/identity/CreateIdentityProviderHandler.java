package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.IdentityProvider;
import io.actiongovernance.identity.ManageIdentityProviders;
import io.actiongovernance.identity.NewIdentityProvider;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/identity_providers}. */
@Operation(
    summary = "Create an identity provider",
    description =
        "A tenant has one identity provider for each mode. The service fetches the"
            + " issuer's metadata and keys: the metadata must name the same issuer as this"
            + " request.",
    tag = Tag.SIGN_IN,
    status = 201,
    answer = IdentityProviderView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.CONNECTOR_UPSTREAM_ERROR})
public final class CreateIdentityProviderHandler
    implements RouteHandler<CreateIdentityProviderHandler.Input> {
  private final ManageIdentityProviders manage;
  private final URI baseUrl;

  CreateIdentityProviderHandler(ManageIdentityProviders manage, URI baseUrl) {
    this.manage = manage;
    this.baseUrl = baseUrl;
  }

  record Input(
      @Field(
              doc = IdentityProviderView.ISSUER,
              min = 1,
              max = 500,
              format = "uri",
              example = "https://login.acme.example")
          String issuer,
      @Field(doc = IdentityProviderView.CLIENT_ID, min = 1, max = 500, example = "governance")
          String clientId,
      @Field(doc = IdentityProviderView.CLIENT_SECRET, min = 1, max = 2_000)
          @Nullable String clientSecret,
      @Field(
              doc = IdentityProviderView.SCOPES,
              min = 1,
              max = 20,
              eachMax = 100,
              otherwise = "[\"openid\",\"profile\",\"email\"]")
          List<String> scopes,
      @Field(
              doc = IdentityProviderView.GROUPS_CLAIM,
              text = Field.Text.LINE,
              min = 1,
              max = 200,
              otherwise = "\"groups\"")
          String groupsClaim,
      @Field(doc = IdentityProviderView.ROLE_BINDINGS, max = 100, otherwise = "[]")
          List<GroupBindingForm> roleBindings,
      @Field(doc = IdentityProviderView.AGENT_CLIENTS, max = 100, otherwise = "[]")
          List<AgentClientForm> agentClients) {
    NewIdentityProvider wanted() {
      return new NewIdentityProvider(
          issuer,
          clientId,
          clientSecret,
          scopes,
          groupsClaim,
          roleBindings.stream().map(GroupBindingForm::binding).toList(),
          agentClients.stream().map(AgentClientForm::client).toList());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    IdentityProviderId id = new IdentityProviderId(IdentityProviderId.PREFIX + call.mintedId());
    return switch (manage.create(call.caller(), id, input.wanted())) {
      case Done(IdentityProvider provider) ->
          Reply.created(IdentityProviderView.of(provider, baseUrl));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
