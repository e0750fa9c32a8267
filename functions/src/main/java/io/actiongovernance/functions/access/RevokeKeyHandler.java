package io.actiongovernance.functions.access;

import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.ApiKeys.Revocation;

/** {@code DELETE /v1/keys/{key_id}}. */
public final class RevokeKeyHandler implements FieldsHandler {
  private final ApiKeys keys;

  public RevokeKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    return switch (keys.revoke(call.caller(), call.id("key_id", KeyId::parse), call.mintedId())) {
      case Revocation.Done(var key) -> Reply.ok(KeyView.RevokedKey.of(key));
      case Revocation.NotFound _ -> Reply.notFound("key");
      case Revocation.LastAdminKey _ ->
          Reply.error(
              ErrorCode.STATE_CONFLICT, "The tenant's last active admin key cannot be revoked.");
    };
  }
}
