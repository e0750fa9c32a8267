package io.actiongovernance.functions.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.people.PeopleWiring;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.identity.BeginSignIn;
import io.actiongovernance.identity.CompleteSignIn;
import io.actiongovernance.identity.IdentityProvider;
import io.actiongovernance.identity.IdentityProviders;
import io.actiongovernance.identity.IssuerClient;
import io.actiongovernance.identity.Issuers;
import io.actiongovernance.identity.ManageIdentityProviders;
import io.actiongovernance.identity.SignInTerms;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.security.SecureRandom;

/** Creates the use cases of identity providers. Thread-safe. */
final class IdentityWiring {
  private final IdentityProviders providers;
  private final ManageIdentityProviders manage;
  private final URI baseUrl;
  private final Wiring wiring;
  private final IssuerClient client;
  private final Issuers issuers;

  IdentityWiring(Wiring wiring) {
    this.wiring = wiring;
    this.client = wiring.issuerClient();
    this.baseUrl = wiring.settings().baseUrl();
    this.providers = new IdentityProviders(wiring.store());
    this.issuers = new Issuers(wiring.store(), client, wiring.clock());
    this.manage =
        new ManageIdentityProviders(
            providers,
            issuers,
            wiring.transactions(),
            new ManageIdentityProviders.Terms(
                client,
                wiring.operators()::exists,
                wiring.sealer(),
                provider -> (ObjectNode) Json.tree(view(provider))),
            wiring.clock());
  }

  IdentityProviders providers() {
    return providers;
  }

  ManageIdentityProviders manage() {
    return manage;
  }

  BeginSignIn beginSignIn() {
    return new BeginSignIn(providers, issuers, terms());
  }

  CompleteSignIn completeSignIn() {
    return new CompleteSignIn(
        new CompleteSignIn.Outside(providers, issuers, client),
        new CompleteSignIn.Storage(
            wiring.store(), wiring.transactions(), wiring.people(), wiring.sessions()),
        new PeopleWiring(wiring).issuerPeople(),
        terms());
  }

  private SignInTerms terms() {
    return new SignInTerms(
        wiring.sealer(),
        id -> BaseUrl.at(baseUrl, IdentityProvider.callbackPath(id)),
        wiring.clock(),
        new SecureRandom());
  }

  IdentityProviderView view(IdentityProvider provider) {
    return IdentityProviderView.of(provider, baseUrl);
  }
}
