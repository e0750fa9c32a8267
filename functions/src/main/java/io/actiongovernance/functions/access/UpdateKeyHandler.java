package io.actiongovernance.functions.access;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.json.Given;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.NewKey;

/** {@code PATCH /v1/keys/{key_id}}. */
@Operation(
    summary = "Change a key's owner",
    description = "Setting the same owner again changes nothing. A revoked or expired key is 409.",
    tag = Tag.API_KEYS,
    answer = ApiKeyView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class UpdateKeyHandler implements RouteHandler<UpdateKeyHandler.Input> {
  private final ApiKeys keys;

  public UpdateKeyHandler(ApiKeys keys) {
    this.keys = keys;
  }

  /** The key to change, and its new owner. */
  @Whole(doc = "A change to a key.")
  record Input(
      @Field(doc = ApiKeyView.ID) KeyId keyId,
      @Field(
              doc =
                  "The person behind the key; null removes the owner. If left out, the owner"
                      + " stays.",
              text = Field.Text.LINE,
              min = 1,
              max = NewKey.LONGEST_OWNER,
              example = "dana@acme.example")
          Given<String> owner) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        keys.own(call.caller(), input.keyId(), input.owner(), call.mintedId()), ApiKeyView::of);
  }
}
