package io.actiongovernance.functions.access;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.key.ApiKeys;

/** {@code GET /v1/keys/{key_id}}. */
public final class RetrieveKeyHandler implements FieldsHandler {
  private final ApiKeys keys;

  public RetrieveKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return keys.find(call.caller(), call.id("key_id", KeyId::parse))
        .map(key -> Reply.ok(KeyView.of(key)))
        .orElseGet(() -> Reply.notFound("key"));
  }
}
