package io.actiongovernance.people;

import io.actiongovernance.id.PasskeyId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The public part of a person's passkey; nothing of it is secret.
 *
 * @param credentialId as authenticators name it, base64url without padding
 * @param publicKey in the form COSE, base64url without padding
 * @param aaguid of the authenticator's model, as a UUID
 * @param settlesAt until when it decides nothing (contract for people, section 1)
 * @param lastUsedAt when somebody last signed in, or voted, with it; null if never. Kept beside the
 *     person, as it changes without a change of them
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
  /** One that has not been used yet. */
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

  /** Whether it may decide. */
  public boolean isSettled(Instant now) {
    return !now.isBefore(settlesAt);
  }

  Passkey usedAt(@Nullable Instant at) {
    return new Passkey(
        id, name, credentialId, publicKey, aaguid, createdAt, settlesAt, /* lastUsedAt= */ at);
  }
}
