package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.IdentityProviderId;
import java.util.Optional;

/** Tells at which issuer the people of a mode sign in, if at any. Thread-safe. */
public interface Issuers {
  /** The only one of the mode. */
  Optional<Issuer> of(Partition partition);

  /**
   * An issuer.
   *
   * @param issuer as its tokens name it
   */
  record Issuer(IdentityProviderId provider, String issuer) {
    /** Who somebody is to it. */
    public Person.Identity identity(String subject) {
      return new Person.Identity(provider, issuer, subject);
    }
  }
}
