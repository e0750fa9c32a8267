package io.actiongovernance.functions.upstream;

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
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import java.net.URI;
import java.time.InstantSource;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/** The part of the composition root that connectors take. Thread-safe. */
public final class ConnectorWiring {
  private final Listings listings;
  private final Connectors connectors;
  private final Installations installations;
  private final AccessTokens accessTokens;
  private final Authorizations authorizations;
  private final SourceSystems sourceSystems;

  /**
   * @param quota connectors a tenant may have
   * @param random not to be foreseen
   * @param redirectUri where authorisation servers send browsers back to
   * @param form of a connector as it is answered
   */
  public ConnectorWiring(
      EgressGuard guard,
      OutboundClient client,
      Store store,
      Transactions transactions,
      Sealer sealer,
      Listings listings,
      Connectors connectors,
      CapabilityUse use,
      ToIntFunction<TenantId> quota,
      BiPredicate<TenantId, KeyId> keyIsActive,
      InstantSource clock,
      Sleeper sleeper,
      RandomGenerator random,
      URI redirectUri,
      PublicForm<Connector> form) {
    ConnectorHealth health = new ConnectorHealth(store, clock);
    TokenEndpoint tokenEndpoint = new HttpTokenEndpoint(client);
    this.accessTokens = new AccessTokens(store, connectors, sealer, tokenEndpoint, clock, sleeper);
    AuthorizedRequests requests = new AuthorizedRequests(accessTokens, clock);
    Retries retries = new Retries(new Pacer(store, clock), health, clock, sleeper, random);
    this.sourceSystems =
        new SourceSystems(
            new HttpToolCaller(client, requests, retries, clock),
            new HttpProbe(client, requests, clock),
            new McpToolCaller(client, requests, retries, clock),
            new McpProbe(client, requests, clock),
            new Sandbox(store, transactions, health, clock, sleeper));
    this.listings = listings;
    this.connectors = connectors;
    ConnectorWrites writes = new ConnectorWrites(store, transactions, listings, quota, form, clock);
    this.installations =
        new Installations(
            connectors,
            writes,
            new Installations.Ports(guard::problem, sourceSystems, use),
            health,
            sealer,
            clock);
    this.authorizations =
        new Authorizations(
            connectors,
            writes,
            sourceSystems,
            health,
            new AuthorizationStates(store, keyIsActive, sealer, clock, random),
            new CodeGrants(tokenEndpoint, sealer, clock, redirectUri));
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

  /** The credentials of connectors, for others that make requests with them. */
  public AccessTokens accessTokens() {
    return accessTokens;
  }

  public Authorizations authorizations() {
    return authorizations;
  }

  /** What the kernel calls tools through. */
  public ToolCaller toolCaller() {
    return sourceSystems;
  }
}
