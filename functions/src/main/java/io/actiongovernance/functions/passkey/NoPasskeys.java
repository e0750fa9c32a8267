package io.actiongovernance.functions.passkey;

import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Passkey;
import java.net.URI;
import java.util.Optional;

/** Stands for passkeys where none can be enrolled: nothing that is signed is good. */
public record NoPasskeys(URI baseUrl) implements Assertions {
  @Override
  public String relyingParty() {
    return baseUrl.getHost();
  }

  @Override
  public Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion) {
    return Optional.of("No passkey can be enrolled here.");
  }

  @Override
  public String publicKeyInfo(Passkey passkey) {
    throw new IllegalStateException("No passkey can be enrolled here.");
  }
}
