package io.actiongovernance.functions.upstream;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.AccessTokens;
import io.actiongovernance.connector.AuthorizationStates;
import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.CapabilityUse;
import io.actiongovernance.connector.CodeGrants;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorHealth;
import io.actiongovernance.connector.ConnectorWrites;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.Listings;
import io.actiongovernance.connector.Pacer;
import io.actiongovernance.connector.Sandbox;
import io.actiongovernance.connector.TokenEndpoint;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import java.net.URI;
import java.time.InstantSource;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;

/** The connectors' part of the composition root. Thread-safe. */
public final class ConnectorWiring {
  /** Path at which an account's owner starts the authorization of a connector. */
  public static final String OAUTH_BEGIN = "/v1/oauth/authorize";

  /** Path to which authorization servers redirect browsers. */
  public static final String OAUTH_CALLBACK = "/v1/oauth/callback";

  private final Listings listings;
  private final Connectors connectors;
  private final Installations installations;
  private final AccessTokens accessTokens;
  private final Authorizations authorizations;
  private final SourceSystems sourceSystems;

  /**
   * The service's surroundings.
   *
   * @param baseUrl this service's address, to which authorization servers redirect browsers
   */
  public record Outside(EgressGuard guard, OutboundClient client, URI baseUrl) {}

  public record Storage(Store store, Transactions transactions, Sealer sealer) {}

  /**
   * The installed connectors and their use.
   *
   * @param use the capabilities that active operators need
   * @param form the form of a connector in responses
   */
  public record Installed(
      Listings listings,
      Connectors connectors,
      CapabilityUse use,
      BiPredicate<Partition, Principal> isActive,
      PublicForm<Connector> form) {}

  /**
   * Sources of time and randomness.
   *
   * @param random must be unpredictable
   */
  public record Machine(InstantSource clock, Sleeper sleeper, RandomGenerator random) {}

  public ConnectorWiring(Outside outside, Storage kept, Installed installed, Machine machine) {
    OutboundClient client = outside.client();
    Store store = kept.store();
    Sealer sealer = kept.sealer();
    Connectors known = installed.connectors();
    InstantSource clock = machine.clock();
    Sleeper sleeper = machine.sleeper();
    ConnectorHealth health = new ConnectorHealth(store, clock);
    TokenEndpoint tokenEndpoint = new HttpTokenEndpoint(client, clock);
    this.accessTokens = new AccessTokens(store, known, sealer, tokenEndpoint, clock, sleeper);
    AuthorizedRequests requests = new AuthorizedRequests(accessTokens, clock);
    Retries retries =
        new Retries(new Pacer(store, clock), health, clock, sleeper, machine.random());
    this.sourceSystems =
        new SourceSystems(
            new HttpToolCaller(client, requests, retries, clock),
            new HttpProbe(client, requests, clock),
            new McpToolCaller(client, requests, retries, clock),
            new McpProbe(client, requests, clock),
            new Sandbox(store, kept.transactions(), health, clock, sleeper));
    this.listings = installed.listings();
    this.connectors = known;
    ConnectorWrites writes =
        new ConnectorWrites(
            store, kept.transactions(), listings, _ -> Connectors.QUOTA, installed.form(), clock);
    this.installations =
        new Installations(
            known,
            writes,
            new Installations.Ports(outside.guard()::problem, sourceSystems, installed.use()),
            health,
            sealer,
            clock);
    this.authorizations =
        new Authorizations(
            known,
            writes,
            sourceSystems,
            health,
            new AuthorizationStates(store, installed.isActive(), sealer, clock, machine.random()),
            new CodeGrants(
                tokenEndpoint,
                sealer,
                clock,
                BaseUrl.at(outside.baseUrl(), OAUTH_BEGIN),
                BaseUrl.at(outside.baseUrl(), OAUTH_CALLBACK)));
  }

  public Listings listings() {
    return listings;
  }

  public Connectors connectors() {
    return connectors;
  }

  public Installations installations() {
    return installations;
  }

  /** The credentials of connectors, for other code whose requests use them. */
  public AccessTokens accessTokens() {
    return accessTokens;
  }

  public Authorizations authorizations() {
    return authorizations;
  }

  /** The port through which the kernel calls tools. */
  public ToolCaller toolCaller() {
    return sourceSystems;
  }
}
