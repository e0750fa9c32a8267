package io.actiongovernance.people;

import io.actiongovernance.id.PasskeyId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The public part of a person's passkey; nothing in it is secret.
 *
 * @param credentialId the authenticator's name for it, base64url without padding
 * @param publicKey in the form COSE, base64url without padding
 * @param aaguid the identifier of the authenticator's model, as a UUID
 * @param settlesAt the time until which it cannot decide anything (contract for people, section 1)
 * @param lastUsedAt when it was last used to sign in or vote; null if never. It is stored beside
 *     the person, because it changes without a change of the person
 */
public record Passkey(
    PasskeyId id,
    String name,
    String credentialId,
    String publicKey,
    String aaguid,
    Instant createdAt,
    Instant settlesAt,
    @Nullable Instant lastUsedAt) {
  /** A passkey that was never used. */
  public Passkey(
      PasskeyId id,
      String name,
      String credentialId,
      String publicKey,
      String aaguid,
      Instant createdAt,
      Instant settlesAt) {
    this(id, name, credentialId, publicKey, aaguid, createdAt, settlesAt, null);
  }

  /** Returns whether the passkey may decide. */
  public boolean isSettled(Instant now) {
    return !now.isBefore(settlesAt);
  }

  Passkey usedAt(@Nullable Instant at) {
    return new Passkey(
        id, name, credentialId, publicKey, aaguid, createdAt, settlesAt, /* lastUsedAt= */ at);
  }
}
