package io.actiongovernance.functions.access;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.key.ApiKeys;

/** {@code DELETE /v1/keys/{key_id}}. */
@Operation(
    summary = "Revoke a key",
    tag = Tag.API_KEYS,
    answer = ApiKeyView.RevokedKey.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class RevokeKeyHandler implements RouteHandler<RevokeKeyHandler.Input> {
  private final ApiKeys keys;

  public RevokeKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  record Input(@Field(doc = ApiKeyView.ID) KeyId keyId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        keys.revoke(call.caller(), input.keyId(), call.mintedId()), ApiKeyView.RevokedKey::of);
  }
}
