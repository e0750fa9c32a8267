package io.actiongovernance.functions.passkey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.time.Instant;

/** A challenge to an authenticator. */
@Doc("What an authenticator is asked.")
public record PasskeyChallengeView(
    @Field(doc = "By which the answer names it.", example = "01m80m2m0rvz8mtfbjg9wyx3ea")
        String challengeId,
    @Field(
            doc =
                "What the browser is given: as `PublicKeyCredential.parseCreationOptionsFromJSON` of WebAuthn takes it to make a passkey, as `parseRequestOptionsFromJSON` does to sign in.",
            as = ObjectNode.class,
            example = "{\"challenge\":\"AQIDBA\",\"rpId\":\"localhost\"}")
        ObjectNode publicKey,
    @Field(
            doc = "Until when: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:21:33.724Z")
        Instant expiresAt) {}
