package io.actiongovernance.functions.webauthn;

import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Attestations;
import io.actiongovernance.people.Passkey;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Verifies the output of authenticators by the rules of WebAuthn, for the service's own base URL
 * only. The library is loaded at the first verification, so that routes that verify nothing do not
 * pay for it. Thread-safe.
 */
public final class Webauthn implements Assertions, Attestations {
  /** The signature algorithms of passkeys, best first, by COSE numbers: ES256, EdDSA, RS256. */
  public static final List<Integer> ALGORITHMS = List.of(-7, -8, -257);

  private final URI baseUrl;

  public Webauthn(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  @Override
  public String relyingParty() {
    return baseUrl.getHost();
  }

  @Override
  public Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion) {
    return library().fault(passkey, challenge, assertion);
  }

  @Override
  public String publicKeyInfo(Passkey passkey) {
    return library().publicKeyInfo(passkey);
  }

  @Override
  public Outcome<Attested> attested(byte[] challenge, Attestation attestation) {
    return library().attested(challenge, attestation);
  }

  /**
   * Loads the library, no earlier than here, because this class names none of the library's types.
   */
  private WebauthnLibrary library() {
    return new WebauthnLibrary(baseUrl);
  }
}
