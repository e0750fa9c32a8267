package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.identity.IdentityProviders;
import java.net.URI;

/** {@code GET /v1/identity_providers}. */
@Operation(
    summary = "List identity providers",
    tag = Tag.SIGN_IN,
    answer = IdentityProviderView.class,
    list = true)
public final class ListIdentityProvidersHandler
    implements RouteHandler<ListIdentityProvidersHandler.Input> {
  private final IdentityProviders providers;
  private final URI baseUrl;

  ListIdentityProvidersHandler(IdentityProviders providers, URI baseUrl) {
    this.providers = providers;
    this.baseUrl = baseUrl;
  }

  record Input(PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    return call.list(
        providers.list(call.caller(), call.page(input.page())),
        provider -> IdentityProviderView.of(provider, baseUrl));
  }
}
