package io.actiongovernance.functions.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.identity.IdentityProvider;
import io.actiongovernance.identity.IdentityProviders;
import io.actiongovernance.identity.IssuerClient;
import io.actiongovernance.identity.Issuers;
import io.actiongovernance.identity.ManageIdentityProviders;
import io.actiongovernance.json.Json;
import java.net.URI;

/** What identity providers make of the parts. Thread-safe. */
final class IdentityWiring {
  private final IdentityProviders providers;
  private final ManageIdentityProviders manage;
  private final URI baseUrl;

  IdentityWiring(Wiring wiring) {
    IssuerClient client = wiring.issuerClient();
    this.baseUrl = wiring.settings().baseUrl();
    this.providers = new IdentityProviders(wiring.store());
    this.manage =
        new ManageIdentityProviders(
            providers,
            new Issuers(wiring.store(), client, wiring.clock()),
            wiring.transactions(),
            new ManageIdentityProviders.Terms(
                client,
                wiring.operators()::settle,
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

  IdentityProviderView view(IdentityProvider provider) {
    return IdentityProviderView.of(provider, baseUrl);
  }
}
