package io.actiongovernance.functions.passkey;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.people.PasskeyView;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.people.Passkeys;

/** {@code DELETE /v1/passkeys/{passkey_id}}. */
@Operation(
    summary = "Delete a passkey",
    description =
        "Deletes your own passkey, or with `people:write` anybody's. Everything that it"
            + " has signed stays. Only an administrator can delete the only passkey of a"
            + " person who has no identity provider.",
    tag = Tag.SIGN_IN,
    answer = PasskeyView.class,
    errors = {ErrorCode.NOT_FOUND, ErrorCode.STATE_CONFLICT})
public final class DeletePasskeyHandler implements RouteHandler<DeletePasskeyHandler.Input> {
  private final Passkeys passkeys;

  DeletePasskeyHandler(Passkeys passkeys) {
    this.passkeys = passkeys;
  }

  record Input(PasskeyId passkeyId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        passkeys.delete(call.caller(), input.passkeyId(), call.mintedId()), PasskeyView::of);
  }
}
