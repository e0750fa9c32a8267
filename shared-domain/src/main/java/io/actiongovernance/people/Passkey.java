package io.actiongovernance.people;

import io.actiongovernance.id.PasskeyId;
import java.time.Instant;

/**
 * The public part of a person's passkey; nothing of it is secret.
 *
 * @param credentialId as authenticators name it, base64url without padding
 * @param publicKey in the form COSE, base64url without padding
 * @param aaguid of the authenticator's model, as a UUID
 * @param settlesAt until when it decides nothing (contract for people, section 1)
 */
public record Passkey(
    PasskeyId id,
    String name,
    String credentialId,
    String publicKey,
    String aaguid,
    Instant createdAt,
    Instant settlesAt) {
  /** Whether it may decide. */
  public boolean isSettled(Instant now) {
    return !now.isBefore(settlesAt);
  }
}
