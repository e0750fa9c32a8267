package io.actiongovernance.functions.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.access.Principal;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ReceiptId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Principal that decided, as responses name it (contract, section 9). */
@Doc(
    "The principal that decided, as the service knows it: the credential, and"
        + " whether the person behind it was verified.")
public record DecidedByView(
    @Field(doc = "Kind of principal.") Principal.Type type,
    @Field(
            doc = "Identifier of the key, the person, the agent or the operator.",
            example = "key_01m80m2m0rvz8mtfbjg9wyx3ea")
        String id,
    @Field(doc = "Name of the principal at that time.", example = "console") String name,
    @Field(doc = OnBehalfOfView.DOC, as = OnBehalfOfView.class)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable OnBehalfOfView onBehalfOf,
    @Field(doc = "True if the person behind it was verified.") boolean verified,
    @Field(
            doc =
                "The person that the request named as the one who decides; null if it named"
                    + " nobody.")
        @Nullable String claimedAs,
    @Field(
            doc =
                "Method of the decision. `key`: with a key's secret only. `session`: by a"
                    + " person who was signed in. `passkey`: by a person who signed it.",
            example = "key")
        String method,
    @Field(
            doc = "Time of the decision: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-20T21:44:07.412Z")
        Instant at,
    @Field(
            doc =
                "Identifier of the receipt that proves a person's vote; left out if there is"
                    + " none.",
            example = "rc_01m80m2t9whk79yb4dge2k1j7q")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable ReceiptId receiptId) {}
