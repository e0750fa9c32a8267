package io.actiongovernance.functions.people;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.people.Passkey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A passkey as the API answers it; nothing of it is secret. */
@Doc("A passkey of a person.")
public record PasskeyView(
    @Field(doc = "Identifier of the passkey.") PasskeyId id,
    @Field(doc = "What its owner calls it.", example = "phone") String name,
    @Field(doc = "When it was enrolled: RFC 3339 in UTC, to the millisecond.") Instant createdAt,
    @Field(doc = "When somebody last signed in with it; null if nobody has.")
        @Nullable Instant lastUsedAt,
    @Field(doc = "Until when it decides nothing.") Instant settlesAt) {
  public static PasskeyView of(Passkey passkey) {
    return new PasskeyView(
        passkey.id(),
        passkey.name(),
        passkey.createdAt(),
        passkey.lastUsedAt(),
        passkey.settlesAt());
  }
}
