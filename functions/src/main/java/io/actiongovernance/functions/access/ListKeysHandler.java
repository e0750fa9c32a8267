package io.actiongovernance.functions.access;

import io.actiongovernance.access.Mode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.key.ApiKey;
import io.actiongovernance.key.ApiKeys;

/** {@code GET /v1/keys}. */
public final class ListKeysHandler implements FieldsHandler {
  private final ApiKeys keys;

  public ListKeysHandler(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Reply handle(Call call) {
    ApiKey.Status status = call.query("status", ApiKey.Status::parse, "active or revoked");
    Mode mode = call.query("mode", Mode::parse, "live or test");
    var page = call.pageRequest();
    call.noOtherQuery();
    return call.list(keys.list(call.caller(), status, mode, page), KeyView.Listed::of);
  }
}
