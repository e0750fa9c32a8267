package io.actiongovernance.functions.access;

import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.ApiKeys.Update;
import io.actiongovernance.key.NewKey;

/** {@code PATCH /v1/keys/{key_id}}. */
public final class UpdateKeyHandler implements FieldsHandler {
  private final ApiKeys keys;

  public UpdateKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    boolean says = body.has("owner") || body.isNull("owner");
    String owner = NewKey.owner(body);
    body.done();
    KeyId id = call.id("key_id", KeyId::parse);
    if (!says) {
      return keys.find(call.caller(), id)
          .map(key -> Reply.ok(KeyView.of(key)))
          .orElseGet(() -> Reply.notFound("key"));
    }
    return switch (keys.own(call.caller(), id, owner, call.mintedId())) {
      case Update.Done(var key) -> Reply.ok(KeyView.of(key));
      case Update.NotFound _ -> Reply.notFound("key");
      case Update.NotActive _ ->
          Reply.error(ErrorCode.STATE_CONFLICT, "The key is revoked, or has come to its end.");
    };
  }
}
