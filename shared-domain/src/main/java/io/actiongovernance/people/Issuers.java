package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.IdentityProviderId;
import java.util.Optional;

/** Finds the issuer at which the people of a mode sign in. Thread-safe. */
public interface Issuers {
  /** Returns the only issuer of the mode, if it has one. */
  Optional<Issuer> of(Partition partition);

  /**
   * An issuer.
   *
   * @param issuer the issuer's name in its tokens
   */
  record Issuer(IdentityProviderId provider, String issuer) {
    public Person.Identity identity(String subject) {
      return new Person.Identity(provider, issuer, subject);
    }
  }
}
