package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.ManageIdentityProviders;

/** {@code DELETE /v1/identity_providers/{idp_id}}. */
@Operation(
    summary = "Delete an identity provider",
    description =
        "Nobody can sign in there any more. If the same issuer is configured again, the"
            + " people who signed in there are the same people as before.",
    tag = Tag.SIGN_IN,
    answer = DeleteIdentityProviderHandler.DeletedIdentityProvider.class)
public final class DeleteIdentityProviderHandler
    implements RouteHandler<DeleteIdentityProviderHandler.Input> {
  private final ManageIdentityProviders manage;

  DeleteIdentityProviderHandler(ManageIdentityProviders manage) {
    this.manage = manage;
  }

  record Input(IdentityProviderId idpId) {}

  @Doc("The deleted identity provider.")
  record DeletedIdentityProvider(
      IdentityProviderId id,
      @Field(doc = "Always `identity_provider`.", constant = "identity_provider") String object,
      @Field(doc = "Always true.", constant = "true") boolean deleted) {
    static DeletedIdentityProvider of(IdentityProviderId id) {
      return new DeletedIdentityProvider(id, "identity_provider", true);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        manage.delete(call.caller(), input.idpId(), call.mintedId()), DeletedIdentityProvider::of);
  }
}
