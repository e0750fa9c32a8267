package io.actiongovernance.functions.people;

import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.identity.IdentityProviders;
import io.actiongovernance.people.ChangePerson;
import io.actiongovernance.people.IssuerPeople;
import io.actiongovernance.people.Issuers;
import io.actiongovernance.people.Passkeys;
import io.actiongovernance.session.MakePerson;
import io.actiongovernance.session.SignInByPasskey;
import java.security.SecureRandom;

/** Creates the use cases of people, their passkeys and their sessions. Thread-safe. */
public final class PeopleWiring {
  private final Wiring wiring;

  public PeopleWiring(Wiring wiring) {
    this.wiring = wiring;
  }

  public ChangePerson changePerson() {
    return new ChangePerson(
        wiring.people(),
        wiring.transactions(),
        wiring.clock(),
        wiring.settings().peopleTimes().issuer(),
        wiring.forms().person());
  }

  public MakePerson makePerson() {
    return new MakePerson(
        wiring.tickets(),
        wiring.transactions(),
        issuers(),
        wiring.clock(),
        wiring.forms().person());
  }

  /** Updates a person at sign-in to match the issuer's claims. */
  public IssuerPeople issuerPeople() {
    return new IssuerPeople(wiring.forms().person());
  }

  /** Finds a tenant's identity provider, if people sign in with one. */
  public Issuers issuers() {
    IdentityProviders providers = new IdentityProviders(wiring.store());
    return partition ->
        providers.of(partition).map(one -> new Issuers.Issuer(one.id(), one.issuer()));
  }

  public Passkeys passkeys() {
    return new Passkeys(
        new Passkeys.Storage(wiring.store(), wiring.transactions(), wiring.people()),
        new Passkeys.Judges(wiring.webauthn(), wiring.webauthn()),
        wiring.sessions()::isFresh,
        wiring.settings().peopleTimes().passkeySettle(),
        wiring.clock(),
        new SecureRandom());
  }

  public SignInByPasskey signInByPasskey() {
    return new SignInByPasskey(
        passkeys(),
        wiring.sessions(),
        wiring.transactions(),
        wiring.settings().peopleTimes(),
        wiring.clock());
  }
}
