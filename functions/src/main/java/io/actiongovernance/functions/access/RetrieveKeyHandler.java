package io.actiongovernance.functions.access;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.key.ApiKeys;

/** {@code GET /v1/keys/{key_id}}. */
@Operation(summary = "Retrieve a key", tag = Tag.API_KEYS, answer = ApiKeyView.class)
public final class RetrieveKeyHandler implements RouteHandler<RetrieveKeyHandler.Input> {
  private final ApiKeys keys;

  public RetrieveKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  record Input(@Field(doc = ApiKeyView.ID) KeyId keyId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return keys.find(call.caller(), input.keyId())
        .map(key -> Reply.ok(ApiKeyView.of(key)))
        .orElseGet(() -> Reply.notFound("key"));
  }
}
