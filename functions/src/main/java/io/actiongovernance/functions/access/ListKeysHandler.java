package io.actiongovernance.functions.access;

import io.actiongovernance.access.Mode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.key.ApiKey;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.page.PageRequest;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/keys}. */
@Operation(summary = "List keys", tag = Tag.API_KEYS, answer = ApiKeyView.Item.class, list = true)
public final class ListKeysHandler implements RouteHandler<ListKeysHandler.Input> {
  private final ApiKeys keys;

  public ListKeysHandler(ApiKeys keys) {
    this.keys = keys;
  }

  record Input(
      @Field(doc = "Only keys with this status. `revoked` includes expired keys.")
          ApiKey.@Nullable Status status,
      @Field(doc = "Only keys of this mode. A test key sees only test keys.") @Nullable Mode mode,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return call.list(
        keys.list(call.caller(), input.status(), input.mode(), page), ApiKeyView.Item::of);
  }
}
