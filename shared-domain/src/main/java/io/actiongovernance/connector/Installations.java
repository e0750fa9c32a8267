package io.actiongovernance.connector;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.time.Timestamps;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Installs, changes, tests and uninstalls connectors (contract, section 5). Reads a config by its
 * listing, and throws {@link Problem} if the config breaks the listing's rules. Thread-safe.
 */
public final class Installations {
  private static final Refusal LISTED_OTHERWISE =
      new Refusal.Conflict(
          "accept names a list of tools that is no longer current. Test again, and read the new list.");

  private final Connectors connectors;
  private final ConnectorWrites writes;
  private final Ports ports;
  private final ConnectorConfig configs;
  private final ConnectorHealth health;
  private final Sealer sealer;
  private final InstantSource clock;

  /**
   * External dependencies of installing.
   *
   * @param baseUrlProblem the egress guard's objection to a base URL, as {@code must be …}; empty
   *     for none
   */
  public record Ports(
      Function<URI, Optional<String>> baseUrlProblem, ConnectorProbe probe, CapabilityUse use) {}

  public Installations(
      Connectors connectors,
      ConnectorWrites writes,
      Ports ports,
      ConnectorHealth health,
      Sealer sealer,
      InstantSource clock) {
    this.connectors = connectors;
    this.writes = writes;
    this.ports = ports;
    this.configs = new ConnectorConfig(ports.baseUrlProblem());
    this.health = health;
    this.sealer = sealer;
    this.clock = clock;
  }

  /**
   * Installs a listing.
   *
   * @param id the identifier minted for the request. A request that failed midway and is sent again
   *     finds the connector it created
   */
  public Outcome<Connector> install(Caller caller, ConnectorId id, NewConnector wanted) {
    Listing listing = listing(wanted.listingId());
    String name = wanted.name();
    Optional<Refusal> beyondKey = caller.beyondKey(wanted.workspaceId());
    if (beyondKey.isPresent()) {
      return Outcome.refused(beyondKey.get());
    }
    ConnectorConfig.Read config =
        configs.read(listing, wanted.config() == null ? UnreadConfig.empty() : wanted.config());
    Credentials credentials = sent(wanted.credentials(), listing);
    requireAuthorizationServer(listing, config, credentials);
    Optional<Connector> made = connectors.find(caller.partition(), id);
    if (made.isPresent()) {
      return Outcome.done(made.get());
    }
    if (listing.availability() == Availability.EARLY_ACCESS) {
      return Outcome.refused(new Refusal.EarlyAccess(listing.id()));
    }
    Optional<Refusal> obstacle = writes.obstacle(caller.partition(), name);
    if (obstacle.isPresent()) {
      return Outcome.refused(obstacle.get());
    }
    Instant now = clock.instant();
    Connector connector =
        new Connector(
            id,
            caller.partition(),
            name,
            listing,
            caller.workspaceFor(wanted.workspaceId()),
            ConnectorStatus.CONNECTED,
            null,
            config.config(),
            credentials.seal(sealer, caller.partition(), id),
            List.of(),
            List.of(),
            config.tools(),
            false,
            1,
            now,
            now,
            null);
    ConnectorWrites.By by =
        new ConnectorWrites.By(caller, id.value().substring(ConnectorId.PREFIX.length()));
    return tried(connector, credentials)
        .then(
            tried -> {
              checkNames(tried);
              return writes.insert(tried, by);
            });
  }

  /**
   * Changes name, config or credentials; omitted fields stay unchanged.
   *
   * @param request identical if the same request is sent again, which then finds its own change
   */
  public Outcome<Connector> patch(
      Caller caller, ConnectorId id, ConnectorChange change, String request) {
    ConnectorWrites.By by = new ConnectorWrites.By(caller, request);
    return connectors.retrieve(caller, id).then(before -> patch(before, change, by));
  }

  private Outcome<Connector> patch(
      Connector before, ConnectorChange change, ConnectorWrites.By by) {
    String name = change.name();
    boolean reconfigured = change.config() != null;
    ConnectorConfig.Read config =
        change.config() != null
            ? configs.read(before.listing(), change.config())
            : new ConnectorConfig.Read(before.config(), before.tools());
    Credentials credentials = sent(change.credentials(), before.listing());
    requireAuthorizationServer(before.listing(), config, credentials);
    Connector renewed =
        with(before, name == null ? before.name() : name, config, change.credentials());
    // The listing of one server says nothing about the tools of another.
    boolean served = renewed.servedBy(before);
    Connector after =
        renewed.accepting(
            served ? before.listed() : List.of(), served ? before.leftOut() : List.of());
    if (change.credentials() == null) {
      requireCredentialsAnew(before, after);
    }
    return after.beginsAnew(before)
        ? tried(after, credentials).then(tried -> replace(before, tried, reconfigured, by))
        : replace(before, after, reconfigured, by);
  }

  /**
   * Returns the credentials that were sent, if the listing accepts their type. If none were sent,
   * returns credentials of type {@code none}.
   */
  private static Credentials sent(@Nullable Credentials credentials, Listing listing) {
    if (credentials == null) {
      return new Credentials.None();
    }
    credentials.requireTypeOf(listing);
    return credentials;
  }

  private Outcome<Connector> replace(
      Connector before, Connector after, boolean reconfigured, ConnectorWrites.By by) {
    if (reconfigured) {
      checkNames(after);
    }
    Optional<String> missed = missed(before, after.tools());
    if (missed.isPresent()) {
      return Outcome.refused(new Refusal.ConnectorInUse(missed.get()));
    }
    if (after.beginsAnew(before)) {
      health.forget(before);
    }
    return writes.replace(before, after, by);
  }

  /** Once the tools are known, the config may name only tools that exist. */
  private static void checkNames(Connector connector) {
    if (!connector.listed().isEmpty()) {
      McpConfig.checkNames(connector.config(), connector.tools());
    }
  }

  /**
   * Uninstalls a connector.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<Connector> uninstall(Caller caller, ConnectorId id, String request) {
    ConnectorWrites.By by = new ConnectorWrites.By(caller, request);
    return connectors.retrieve(caller, id).then(connector -> uninstall(connector, by));
  }

  private Outcome<Connector> uninstall(Connector connector, ConnectorWrites.By by) {
    Optional<String> missed = missed(connector, List.of());
    if (missed.isPresent()) {
      return Outcome.refused(new Refusal.ConnectorInUse(missed.get()));
    }
    health.forget(connector);
    return writes.delete(connector, by);
  }

  /**
   * Makes the test request, and derives the status from its result.
   *
   * @param accept digest of the listing that a Model Context Protocol server must return, so that
   *     its tools are accepted as they are now; null to accept nothing
   * @param request the identifier minted for the request
   */
  public Outcome<Tested> test(
      Caller caller, ConnectorId id, @Nullable String accept, String request) {
    ConnectorWrites.By by = new ConnectorWrites.By(caller, request);
    return connectors.retrieve(caller, id).then(connector -> test(connector, accept, by));
  }

  private Outcome<Tested> test(
      Connector connector, @Nullable String accept, ConnectorWrites.By by) {
    if (connector.status() == ConnectorStatus.PENDING_AUTH) {
      return Outcome.refused(new Refusal.Conflict("The connector is waiting to be authorised."));
    }
    Finding finding = ports.probe().probe(connector);
    Instant now = clock.instant();
    writes.tested(connector, Timestamps.format(now));
    return switch (finding) {
      case Finding.Passed passed -> {
        health.passed(connector);
        yield passed(connector, passed, now, accept, by);
      }
      case Finding.CredentialsRejected(String error) -> {
        health.rejected(connector, error);
        yield Outcome.refused(rejected(error));
      }
      case Finding.UpstreamFailed(String error) -> {
        health.failed(connector, error);
        yield Outcome.refused(new Refusal.UpstreamFailed("The test failed: " + error));
      }
    };
  }

  private static Refusal rejected(String error) {
    return new Refusal.AuthFailed("The source system rejected the credentials: " + error);
  }

  private Outcome<Tested> passed(
      Connector connector,
      Finding.Passed passed,
      Instant now,
      @Nullable String accept,
      ConnectorWrites.By by) {
    McpListing listing = McpListing.of(passed.offer().tools(), connector.listed());
    List<LeftOutTool> leftOut = passed.offer().leftOut();
    boolean lists = connector.listing().engine() == Engine.MCP;
    String digest = lists ? listing.digest() : null;
    if (accept != null && !accept.equals(digest)) {
      return Outcome.refused(LISTED_OTHERWISE);
    }
    if (accept != null && !accept(connector, listing, leftOut, now, by)) {
      return Outcome.refused(ConnectorWrites.CHANGED);
    }
    List<String> changed =
        lists && accept == null ? connector.toolNames(listing.changed()) : List.of();
    return Outcome.done(
        new Tested(ConnectorStatus.CONNECTED, passed.latency(), now, changed, leftOut, digest));
  }

  /**
   * Makes this the accepted listing. While the server stays the same, nothing else changes the
   * accepted listing.
   */
  private boolean accept(
      Connector connector,
      McpListing listing,
      List<LeftOutTool> leftOut,
      Instant now,
      ConnectorWrites.By by) {
    McpListing accepted = McpListing.of(connector.listed(), connector.listed());
    Connector accepting = connector.accepting(listing.tools(), leftOut).updated(now);
    return (accepted.digest().equals(listing.digest()) && connector.leftOut().equals(leftOut))
        || writes.accept(connector, accepting, by);
  }

  private Listing listing(String id) {
    return connectors
        .listing(id)
        .orElseThrow(() -> Problem.invalid("listing_id", "listing_id is not the id of a listing."));
  }

  /** Applies the result of the test request to a connector that is about to be stored. */
  private Outcome<Connector> tried(Connector connector, Credentials credentials) {
    if (credentials instanceof Credentials.OAuth2) {
      return Outcome.done(connector.with(ConnectorStatus.PENDING_AUTH, null));
    }
    if (credentials instanceof Credentials.None && connector.listing().takesOnlyOAuth2()) {
      return Outcome.done(
          connector.with(
              ConnectorStatus.PENDING_AUTH,
              "The connector has no credentials yet, so it cannot be authorised."));
    }
    if (credentials instanceof Credentials.None && connector.listing().engine() != Engine.MCP) {
      return Outcome.done(connector);
    }
    return switch (ports.probe().probe(connector)) {
      case Finding.Passed(Duration _, McpOffer offer) ->
          Outcome.done(connector.with(ConnectorStatus.CONNECTED, null).served(offer));
      case Finding.CredentialsRejected(String error) -> Outcome.refused(rejected(error));
      case Finding.UpstreamFailed(String error) ->
          Outcome.done(connector.with(ConnectorStatus.DEGRADED, error));
    };
  }

  /**
   * Applies changes. With new credentials, the connector is connected until its test says
   * otherwise.
   */
  private Connector with(
      Connector before,
      String name,
      ConnectorConfig.Read config,
      @Nullable Credentials credentials) {
    Connector renewed = credentials == null ? before : before.with(ConnectorStatus.CONNECTED, null);
    return new Connector(
        before.id(),
        before.partition(),
        name,
        before.listing(),
        before.workspaceId(),
        renewed.status(),
        renewed.statusReason(),
        config.config(),
        credentials == null
            ? before.credentials()
            : credentials.seal(sealer, before.partition(), before.id()),
        List.of(),
        List.of(),
        config.tools(),
        before.failing(),
        before.version() + 1,
        before.createdAt(),
        clock.instant(),
        before.testedAt());
  }

  /**
   * Stored credentials are sent only to the place for which they were given, so that nobody can
   * steal them.
   */
  private static void requireCredentialsAnew(Connector before, Connector after) {
    boolean authorized = before.credentials().type().equals(AuthorizationServer.OAUTH2);
    if (before.credentials().sealed() != null
        && (!before.baseUrl().equals(after.baseUrl())
            || authorized && !Objects.equals(tokenUrl(before), tokenUrl(after)))) {
      throw Problem.missing(
          "credentials", "credentials must be sent again if config changes where they go.");
    }
  }

  private static @Nullable URI tokenUrl(Connector connector) {
    AuthorizationServer server = connector.authorizationServer();
    return server == null ? null : server.tokenUrl();
  }

  private static void requireAuthorizationServer(
      Listing listing, ConnectorConfig.Read config, Credentials credentials) {
    Fields fields = new Fields(config.config(), "config", false);
    if (credentials instanceof Credentials.OAuth2
        && AuthorizationServer.readOrNull(listing, fields, url -> Optional.empty()) == null) {
      throw Problem.missing("config." + AuthorizationServer.OAUTH2);
    }
  }

  /**
   * Returns a capability that an active operator needs, that only this connector fulfils, and that
   * is not among the {@code left} tools.
   */
  private Optional<String> missed(Connector connector, List<Tool> left) {
    Set<String> kept = left.stream().map(Tool::capability).collect(Collectors.toSet());
    List<Connector> others =
        connectors.usable(connector.partition(), connector.workspaceId()).stream()
            .filter(other -> !other.id().equals(connector.id()))
            .toList();
    return connector.tools().stream()
        .map(Tool::capability)
        .distinct()
        .filter(capability -> !kept.contains(capability))
        .filter(capability -> others.stream().noneMatch(other -> other.offers(capability)))
        .filter(capability -> ports.use().neededByActiveOperator(connector.partition(), capability))
        .findFirst();
  }
}
