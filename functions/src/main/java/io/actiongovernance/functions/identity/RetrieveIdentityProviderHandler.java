package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.IdentityProviders;
import java.net.URI;

/** {@code GET /v1/identity_providers/{idp_id}}. */
@Operation(
    summary = "Retrieve an identity provider",
    tag = Tag.SIGN_IN,
    answer = IdentityProviderView.class)
public final class RetrieveIdentityProviderHandler
    implements RouteHandler<RetrieveIdentityProviderHandler.Input> {
  private final IdentityProviders providers;
  private final URI baseUrl;

  RetrieveIdentityProviderHandler(IdentityProviders providers, URI baseUrl) {
    this.providers = providers;
    this.baseUrl = baseUrl;
  }

  record Input(IdentityProviderId idpId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        providers.retrieve(call.caller(), input.idpId()),
        provider -> IdentityProviderView.of(provider, baseUrl));
  }
}
