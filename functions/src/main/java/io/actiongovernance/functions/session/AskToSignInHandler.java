package io.actiongovernance.functions.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.passkey.PasskeyOptions;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Challenge;
import io.actiongovernance.people.Passkeys;
import java.time.Instant;
import java.util.List;

/** {@code POST /v1/sign_in/passkey/challenges}. */
@Operation(
    summary = "Begin to sign in by a passkey",
    description = "For whoever has one: the passkey says who it is. Good once, for five minutes.",
    tag = Tag.SIGN_IN,
    status = 201,
    answer = AskToSignInHandler.SignInChallenge.class)
public final class AskToSignInHandler implements RouteHandler<NoInput> {
  private final Passkeys passkeys;
  private final Assertions assertions;

  public AskToSignInHandler(Wiring wiring) {
    this.passkeys = wiring.passkeys();
    this.assertions = wiring.webauthn();
  }

  /** What is to be signed. */
  @Doc("What a passkey is to sign to sign in.")
  record SignInChallenge(
      @Field(doc = "By which the answer names it.", example = "01m80m2m0rvz8mtfbjg9wyx3ea")
          String challengeId,
      @Field(
              doc =
                  "What the browser is given, as `PublicKeyCredential.parseRequestOptionsFromJSON` of WebAuthn takes it.",
              as = ObjectNode.class,
              example = "{\"challenge\":\"AQIDBA\",\"rpId\":\"localhost\"}")
          ObjectNode publicKey,
      @Field(
              doc = "Until when: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:21:33.724Z")
          Instant expiresAt) {}

  @Override
  public Reply handle(Call call, NoInput input) {
    Challenge challenge = passkeys.askAnybody(call.mintedId());
    return Reply.created(
        new SignInChallenge(
            challenge.id(),
            PasskeyOptions.toSign(challenge.text(), assertions.relyingParty(), List.of()),
            challenge.expiresAt()));
  }
}
