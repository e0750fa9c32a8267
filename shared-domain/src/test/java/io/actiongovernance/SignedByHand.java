package io.actiongovernance;

import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Passkey;
import java.util.HexFormat;
import java.util.Optional;

/** Passkeys that sign by writing the challenge down behind their own name. */
public final class SignedByHand implements Assertions {
  /** What a passkey makes of a challenge. */
  public static Assertion sign(String credentialId, byte[] challenge) {
    return new Assertion(
        credentialId, "client", "authenticator", signature(credentialId, challenge));
  }

  private static String signature(String credentialId, byte[] challenge) {
    return credentialId + "-" + HexFormat.of().formatHex(challenge);
  }

  @Override
  public String relyingParty() {
    return "localhost";
  }

  @Override
  public Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion) {
    return assertion.signature().equals(signature(passkey.credentialId(), challenge))
        ? Optional.empty()
        : Optional.of("Something else was signed.");
  }

  @Override
  public String publicKeyInfo(Passkey passkey) {
    return passkey.publicKey();
  }
}
