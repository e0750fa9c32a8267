package io.actiongovernance.connector;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.Credentials.OAuth2;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Exchanges the authorisation codes of authorisation servers for tokens. Thread-safe. */
public final class CodeGrants {
  private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(10);

  private final TokenEndpoint endpoint;
  private final Sealer sealer;
  private final InstantSource clock;
  private final URI beginUri;
  private final URI redirectUri;

  /**
   * @param beginUri the address here at which owners open an authorisation
   * @param redirectUri the address to which authorisation servers send browsers back
   */
  public CodeGrants(
      TokenEndpoint endpoint, Sealer sealer, InstantSource clock, URI beginUri, URI redirectUri) {
    this.endpoint = endpoint;
    this.sealer = sealer;
    this.clock = clock;
    this.beginUri = beginUri;
    this.redirectUri = redirectUri;
  }

  /** A connector as a client of its authorisation server. */
  record Client(AuthorizationServer server, OAuth2 credentials) {}

  /** Returns the connector as a client; empty if it is not authorised in this way. */
  Optional<Client> client(Connector connector) {
    AuthorizationServer server = connector.authorizationServer();
    return server != null
            && Credentials.open(
                        connector.credentials(), sealer, connector.partition(), connector.id())
                    .orElse(null)
                instanceof OAuth2 credentials
        ? Optional.of(new Client(server, credentials))
        : Optional.empty();
  }

  /** Returns the address here that the owner opens. The sealed text needs no encoding. */
  URI address(String sealed) {
    return URI.create(beginUri + "?state=" + sealed);
  }

  /** Returns the URL at the authorisation server at which the owner authorises the connector. */
  URI url(Client client, String state, String challenge) {
    return client.server().url(client.credentials().clientId(), redirectUri, state, challenge);
  }

  TokenEndpoint.Answer exchange(Client client, String code, String verifier) {
    Map<String, String> grant =
        Map.of(
            "grant_type",
            "authorization_code",
            "code",
            code,
            "redirect_uri",
            redirectUri.toString(),
            "code_verifier",
            verifier);
    return endpoint.ask(client.server(), client.credentials(), grant, LONGEST_EXCHANGE);
  }

  /** Returns the seal for the grant; it must be obtained before a code is used. */
  Sealer.Seal sealing(Connector connector) {
    return sealer.sealing(connector.partition(), Sealer.Purpose.CREDENTIALS);
  }

  /** Returns the connector with this grant in place of any earlier one. */
  Connector authorized(
      Connector connector, Client client, TokenEndpoint.Answer.Granted granted, Sealer.Seal seal) {
    OAuth2 unauthorized =
        new OAuth2(client.credentials().clientId(), client.credentials().clientSecret(), null);
    OAuth2 authorized = unauthorized.with(granted, clock.instant());
    return connector.with(authorized.seal(seal, connector.id()));
  }
}
