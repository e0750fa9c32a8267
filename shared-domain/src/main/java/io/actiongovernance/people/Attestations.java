package io.actiongovernance.people;

import io.actiongovernance.outcome.Outcome;

/**
 * Verifies a new passkey that an authenticator made for a challenge (contract for people, section
 * 1). The user must be verified, on exactly the service's own origin and for exactly its own name.
 * The model of authenticator is not attested. Thread-safe.
 */
public interface Attestations {
  /**
   * A new credential, as a browser sends it (WebAuthn, {@code RegistrationResponseJSON}). Every
   * part is in base64url without padding.
   *
   * @param clientData the browser's statement of what was requested, and for which origin
   */
  record Attestation(String clientData, String attestation) {}

  /**
   * A verified new key.
   *
   * @param credentialId the authenticator's name for it, base64url without padding
   * @param publicKey in the form COSE, base64url without padding
   * @param aaguid the identifier of the authenticator's model, as a UUID
   */
  record Attested(String credentialId, String publicKey, String aaguid) {}

  Outcome<Attested> attested(byte[] challenge, Attestation attestation);
}
