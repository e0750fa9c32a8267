package io.actiongovernance.functions.passkey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.people.PasskeyView;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.Attestations;
import io.actiongovernance.people.Passkey;
import io.actiongovernance.people.Passkeys;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/passkeys}. */
@Operation(
    summary = "Enrol a passkey",
    description =
        "You prove who you are by the `assertion` of an older passkey, by a ticket for your"
            + " first one, or by a fresh sign-in at your identity provider."
            + " Unless an older passkey signed for it, the new one decides nothing before"
            + " `settles_at`.",
    tag = Tag.SIGN_IN,
    status = 201,
    answer = PasskeyView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.SIGNATURE_INVALID, ErrorCode.QUOTA_EXCEEDED})
public final class EnrolPasskeyHandler implements RouteHandler<EnrolPasskeyHandler.Input> {
  private static final int LONGEST = 20_000;

  private final Passkeys passkeys;

  EnrolPasskeyHandler(Passkeys passkeys) {
    this.passkeys = passkeys;
  }

  record Input(
      @Field(
              doc = "The challenge that the passkey was made for.",
              max = 100,
              example = "01m80m2m0rvz8mtfbjg9wyx3ea")
          String challengeId,
      @Field(
              doc = "Name that the owner gives the passkey.",
              text = Field.Text.LINE,
              min = 1,
              max = 100,
              example = "phone")
          String name,
      @Field(
              doc =
                  "Attestation from the authenticator, as `PublicKeyCredential.toJSON()` of"
                      + " WebAuthn gives it: in `response`, `clientDataJSON` and `attestationObject`,"
                      + " each in base64url.",
              as = ObjectNode.class,
              example =
                  "{\"id\":\"AQIDBA\",\"type\":\"public-key\",\"response\":{\"clientDataJSON\":\"e30\",\"attestationObject\":\"oA\"}}")
          ObjectNode attestation,
      @Field(
              doc =
                  "Assertion by an older passkey of the person. It signs the SHA-256 of three"
                      + " lines: `passkey.enrol.v1`, the challenge's text and the `attestationObject`.",
              as = ObjectNode.class,
              example = AssertionForm.EXAMPLE)
          @Nullable ObjectNode assertion) {
    Passkeys.NewPasskey wanted() {
      Fields response = new Fields(attestation, "attestation", false).fields("response");
      return new Passkeys.NewPasskey(
          challengeId,
          name,
          new Attestations.Attestation(
              response.text("clientDataJSON", 1, LONGEST),
              response.text("attestationObject", 1, LONGEST)),
          assertion == null ? null : AssertionForm.read(assertion, "assertion"));
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return switch (passkeys.enrol(call.caller(), input.wanted(), call.mintedId())) {
      case Done(Passkey passkey) -> Reply.created(PasskeyView.of(passkey));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
