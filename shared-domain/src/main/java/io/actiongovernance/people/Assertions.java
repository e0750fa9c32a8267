package io.actiongovernance.people;

import java.util.Optional;

/**
 * Verifies that a passkey signed a challenge (contract for people, section 3). The user must be
 * verified, on exactly the service's own origin and for exactly its own name. Thread-safe.
 */
public interface Assertions {
  /**
   * Returns the name that passkeys are bound to (WebAuthn, {@code rpId}): the host of the base URL.
   */
  String relyingParty();

  /**
   * Returns why an assertion is invalid; empty if the passkey signed this challenge.
   *
   * @param passkey the passkey whose public key must have signed
   */
  Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion);

  /**
   * Returns the public key of a passkey in the form SubjectPublicKeyInfo, base64url without
   * padding.
   */
  String publicKeyInfo(Passkey passkey);
}
