package io.actiongovernance.functions.passkey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.time.Instant;

/** A challenge to an authenticator. */
@Doc("A challenge for an authenticator.")
public record PasskeyChallengeView(
    @Field(
            doc = "Identifier by which the answer names the challenge.",
            example = "01m80m2m0rvz8mtfbjg9wyx3ea")
        String challengeId,
    @Field(
            doc =
                "Options for the browser. To make a passkey,"
                    + " `PublicKeyCredential.parseCreationOptionsFromJSON` of WebAuthn takes them; to"
                    + " sign in, `parseRequestOptionsFromJSON` does.",
            as = ObjectNode.class,
            example = "{\"challenge\":\"AQIDBA\",\"rpId\":\"localhost\"}")
        ObjectNode publicKey,
    @Field(
            doc = "Time at which the challenge expires: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:21:33.724Z")
        Instant expiresAt) {}
