package io.actiongovernance.people;

import io.actiongovernance.outcome.Outcome;

/**
 * Reads what an authenticator made for a challenge: a new passkey (contract for people, section 1),
 * with its user verified, on the service's own origin and for its own name, exactly. Which make of
 * authenticator it is, nobody attests. Thread-safe.
 */
public interface Attestations {
  /**
   * What an authenticator made, as a browser tells it (WebAuthn, {@code RegistrationResponseJSON});
   * every part in base64url without padding.
   *
   * @param clientData what the browser says was asked for, and for which origin
   * @param attestation the attestation object, with the public key
   */
  record Attestation(String clientData, String attestation) {}

  /**
   * A key that was made.
   *
   * @param credentialId as authenticators name it, base64url without padding
   * @param publicKey in the form COSE, base64url without padding
   * @param aaguid of the authenticator's model, as a UUID
   */
  record Attested(String credentialId, String publicKey, String aaguid) {}

  /** The key, unless something is wrong with it. */
  Outcome<Attested> attested(byte[] challenge, Attestation attestation);
}
