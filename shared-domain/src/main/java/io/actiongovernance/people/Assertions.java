package io.actiongovernance.people;

import java.util.Optional;

/**
 * Tells whether a passkey signed a challenge (contract for people, section 3): with its user
 * verified, on the service's own origin and for its own name, exactly. Thread-safe.
 */
public interface Assertions {
  /** The name that passkeys are bound to (WebAuthn, {@code rpId}): the host of the base URL. */
  String relyingParty();

  /**
   * What is wrong with an assertion; empty if the passkey signed this challenge.
   *
   * @param passkey whose public key must have signed
   * @param challenge the bytes that were to be signed
   */
  Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion);

  /** The public key of a passkey in the form SubjectPublicKeyInfo, base64url without padding. */
  String publicKeyInfo(Passkey passkey);
}
