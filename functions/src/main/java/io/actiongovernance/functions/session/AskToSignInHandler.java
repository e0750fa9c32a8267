package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.passkey.PasskeyChallengeView;
import io.actiongovernance.functions.passkey.PasskeyOptions;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Challenge;
import io.actiongovernance.people.Passkeys;
import java.util.List;

/** {@code POST /v1/sign_in/passkey/challenges}. */
@Operation(
    summary = "Begin a sign-in by passkey",
    description =
        "For a person who has a passkey, which identifies them. The challenge is"
            + " single-use and valid for five minutes.",
    tag = Tag.SIGN_IN,
    status = 201,
    answer = PasskeyChallengeView.class)
public final class AskToSignInHandler implements RouteHandler<NoInput> {
  private final Passkeys passkeys;
  private final Assertions assertions;

  AskToSignInHandler(Passkeys passkeys, Assertions assertions) {
    this.passkeys = passkeys;
    this.assertions = assertions;
  }

  @Override
  public Reply handle(Call call, NoInput input) {
    Challenge challenge = passkeys.askAnybody(call.mintedId());
    return Reply.created(
        new PasskeyChallengeView(
            challenge.id(),
            PasskeyOptions.toSign(challenge.text(), assertions.relyingParty(), List.of()),
            challenge.expiresAt()));
  }
}
