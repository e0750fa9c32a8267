package io.actiongovernance.functions.passkey;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Passkeys;

/** {@code POST /v1/passkeys/challenges}. */
@Operation(
    summary = "Begin to enrol a passkey",
    description =
        "For a person who is signed in, or has a ticket for their first passkey. The"
            + " challenge is single-use and valid for five minutes.",
    tag = Tag.SIGN_IN,
    status = 201,
    answer = PasskeyChallengeView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class AskToEnrolHandler implements RouteHandler<NoInput> {
  private final Passkeys passkeys;
  private final Assertions assertions;

  AskToEnrolHandler(Passkeys passkeys, Assertions assertions) {
    this.passkeys = passkeys;
    this.assertions = assertions;
  }

  @Override
  public Reply handle(Call call, NoInput input) {
    return switch (passkeys.ask(call.caller(), call.mintedId())) {
      case Done(Passkeys.Asked asked) ->
          Reply.created(
              new PasskeyChallengeView(
                  asked.challenge().id(),
                  PasskeyOptions.toMake(
                      asked.challenge().text(), assertions.relyingParty(), asked.person()),
                  asked.challenge().expiresAt()));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
