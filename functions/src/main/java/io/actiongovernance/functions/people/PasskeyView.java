package io.actiongovernance.functions.people;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.people.Passkey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A passkey as responses show it. None of its fields is secret. */
@Doc("A passkey of a person.")
public record PasskeyView(
    @Field(doc = "Identifier of the passkey.") PasskeyId id,
    @Field(doc = "Name that the owner gives the passkey.", example = "phone") String name,
    @Field(doc = "Time of enrolment: RFC 3339 in UTC, to the millisecond.") Instant createdAt,
    @Field(doc = "Time of the last sign-in with it; null if there was none.")
        @Nullable Instant lastUsedAt,
    @Field(doc = "Time before which it decides nothing.") Instant settlesAt) {
  public static PasskeyView of(Passkey passkey) {
    return new PasskeyView(
        passkey.id(),
        passkey.name(),
        passkey.createdAt(),
        passkey.lastUsedAt(),
        passkey.settlesAt());
  }
}
