package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.IdentityProviderId;

/** {@code GET /v1/identity_providers/{idp_id}}. */
@Operation(
    summary = "Retrieve an identity provider",
    tag = Tag.SIGN_IN,
    answer = IdentityProviderView.class)
public final class RetrieveIdentityProviderHandler
    implements RouteHandler<RetrieveIdentityProviderHandler.Input> {
  private final IdentityWiring identity;

  public RetrieveIdentityProviderHandler(Wiring wiring) {
    this.identity = new IdentityWiring(wiring);
  }

  /** Which one. */
  record Input(IdentityProviderId idpId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(identity.providers().retrieve(call.caller(), input.idpId()), identity::view);
  }
}
