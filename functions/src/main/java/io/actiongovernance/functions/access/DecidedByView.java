package io.actiongovernance.functions.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.access.Principal;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ReceiptId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who decided, as answers name it (contract, section 9). */
@Doc("Who decided, as the service knows it: the credential, and whether a person was verified.")
public record DecidedByView(
    @Field(doc = "What kind of principal it is.") Principal.Type type,
    @Field(
            doc = "Identifier of the key, the person, the agent or the operator.",
            example = "key_01m80m2m0rvz8mtfbjg9wyx3ea")
        String id,
    @Field(doc = "Its name at that time.", example = "console") String name,
    @Field(doc = OnBehalfOfView.DOC, as = OnBehalfOfView.class)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable OnBehalfOfView onBehalfOf,
    @Field(doc = "Whether the person behind it was verified.") boolean verified,
    @Field(doc = "Whom the request said it was for; null if it did not say.")
        @Nullable String claimedAs,
    @Field(
            doc =
                "How it was decided: `key` is by a key's secret alone, `session` by a person who is signed in, `passkey` by one who signed it.",
            example = "key")
        String method,
    @Field(doc = "When: RFC 3339 in UTC, to the millisecond.", example = "2026-11-20T21:44:07.412Z")
        Instant at,
    @Field(
            doc =
                "Identifier of the receipt that proves a person's vote; left out where there is none.",
            example = "rc_01m80m2t9whk79yb4dge2k1j7q")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable ReceiptId receiptId) {}
