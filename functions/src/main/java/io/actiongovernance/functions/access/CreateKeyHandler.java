package io.actiongovernance.functions.access;

import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.ApiKeys.Creation;
import io.actiongovernance.key.NewKey;

/** {@code POST /v1/keys}. */
public final class CreateKeyHandler implements FieldsHandler {
  private final ApiKeys keys;

  public CreateKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    NewKey wanted = NewKey.read(call.body(), call.receivedAt());
    KeyId id = new KeyId(KeyId.PREFIX + call.mintedId());
    return switch (keys.create(call.caller(), id, wanted)) {
      case Creation.Issued(var key, var secret) -> Reply.created(KeyView.created(key, secret));
      case Creation.BeyondCaller(var why) -> Reply.error(ErrorCode.INSUFFICIENT_SCOPE, why);
      case Creation.NameTaken _ ->
          Reply.error(ErrorCode.STATE_CONFLICT, "An active key with this name exists.");
      case Creation.QuotaExceeded _ ->
          Reply.error(
              ErrorCode.QUOTA_EXCEEDED,
              "The tenant has " + ApiKeys.QUOTA + " active keys already.");
      case Creation.RevokedSince _ ->
          Reply.error(
              ErrorCode.STATE_CONFLICT, "The key this request made has been revoked since.");
    };
  }
}
