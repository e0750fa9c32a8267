package io.actiongovernance.connector;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.api.ApiError;
import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.ErrorCode;
import io.actiongovernance.api.Fields;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.id.ConnectorId;
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
 * Installs, changes, tests and uninstalls connectors (contract, section 5). Reads fields by {@link
 * Fields}, which throws {@link ApiException} for bad ones; everything else that can go wrong is an
 * outcome. Thread-safe.
 */
public final class Installations {
  private final Connectors connectors;
  private final ConnectorWrites writes;
  private final Ports ports;
  private final ConnectorConfig configs;
  private final ConnectorHealth health;
  private final Sealer sealer;
  private final InstantSource clock;

  /**
   * What installing needs of the world.
   *
   * @param baseUrlProblem what the egress guard has against a base URL, as {@code must be …}; empty
   *     for nothing
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
   * @param id minted for the request: one that died half-way and comes again with it finds the
   *     connector it made
   */
  public Installed install(Caller caller, ConnectorId id, Fields body) {
    Listing listing = listing(body);
    String name = body.slug("name");
    String workspaceId = caller.workspaceFor(body.nameOrNull("workspace_id", 1, 100));
    ConnectorConfig.Read config = configs.read(listing, body);
    Credentials credentials = Credentials.read(body.fieldsOrNull("credentials"), listing.auth());
    body.done();
    requireAuthorizationServer(listing, config, credentials);
    Optional<Connector> made = connectors.find(caller.partition(), id);
    if (made.isPresent()) {
      return new Installed.Done(made.get());
    }
    if (listing.availability() == Availability.EARLY_ACCESS) {
      return new Installed.EarlyAccess(listing);
    }
    Optional<Installed> refused = writes.obstacle(caller.partition(), name);
    if (refused.isPresent()) {
      return refused.get();
    }
    Instant now = clock.instant();
    Connector connector =
        new Connector(
            id,
            caller.partition(),
            name,
            listing,
            workspaceId,
            ConnectorStatus.CONNECTED,
            null,
            config.config(),
            credentials.seal(sealer, id),
            List.of(),
            config.tools(),
            false,
            1,
            now,
            now,
            null);
    return switch (tried(connector, credentials)) {
      case Trial.Rejected(String error) -> new Installed.CredentialsRejected(error);
      case Trial.Kept(Connector tried) -> {
        checkNames(tried);
        yield writes.insert(
            tried,
            new ConnectorWrites.By(caller, id.value().substring(ConnectorId.PREFIX.length())));
      }
    };
  }

  /**
   * Changes name, config or credentials; what is left out stays.
   *
   * @param request the same for the same request sent again, which then finds its own change
   */
  public Patched patch(Caller caller, ConnectorId id, ConnectorChange change, String request) {
    ConnectorWrites.By by = new ConnectorWrites.By(caller, request);
    Optional<Connector> found = connectors.find(caller, id);
    if (found.isEmpty()) {
      return new Patched.NotFound();
    }
    Connector before = found.get();
    String name = change.name();
    Fields given = change.credentials();
    ConnectorConfig.Read config =
        change.reconfigures()
            ? configs.read(before.listing(), change.body())
            : new ConnectorConfig.Read(before.config(), before.tools());
    Credentials credentials = Credentials.read(given, before.listing().auth());
    requireAuthorizationServer(before.listing(), config, credentials);
    Connector renewed =
        with(
            before,
            name == null ? before.name() : name,
            config,
            given == null ? null : credentials);
    // What one server listed says nothing of another's tools.
    Connector after = renewed.accepting(renewed.servedBy(before) ? before.listed() : List.of());
    if (given == null) {
      requireCredentialsAnew(before, after);
    }
    if (!after.beginsAnew(before)) {
      return replace(before, after, change.reconfigures(), by);
    }
    return switch (tried(after, credentials)) {
      case Trial.Rejected(String error) -> new Patched.CredentialsRejected(error);
      case Trial.Kept(Connector tried) -> replace(before, tried, change.reconfigures(), by);
    };
  }

  private Patched replace(
      Connector before, Connector after, boolean reconfigured, ConnectorWrites.By by) {
    if (reconfigured) {
      checkNames(after);
    }
    Optional<String> missed = missed(before, after.tools());
    if (missed.isPresent()) {
      return new Patched.InUse(missed.get());
    }
    if (after.beginsAnew(before)) {
      health.forget(before);
    }
    return writes.replace(before, after, by);
  }

  /** What config says of tools must be of tools there are, as soon as it is known which. */
  private static void checkNames(Connector connector) {
    if (!connector.listed().isEmpty()) {
      McpConfig.checkNames(connector.config(), connector.tools());
    }
  }

  /**
   * Uninstalls it.
   *
   * @param request minted for the request
   */
  public Uninstalled uninstall(Caller caller, ConnectorId id, String request) {
    Optional<Connector> found = connectors.find(caller, id);
    if (found.isEmpty()) {
      return new Uninstalled.NotFound();
    }
    Optional<String> missed = missed(found.get(), List.of());
    if (missed.isPresent()) {
      return new Uninstalled.InUse(missed.get());
    }
    health.forget(found.get());
    return writes.delete(found.get(), new ConnectorWrites.By(caller, request))
        ? new Uninstalled.Done()
        : new Uninstalled.NotFound();
  }

  /**
   * Makes the test request, and draws the status from what it finds.
   *
   * @param accept the digest of what a Model Context Protocol server is to list for its tools to be
   *     accepted as they are now; null to accept nothing
   * @param request minted for the request
   */
  public Tested test(Caller caller, ConnectorId id, @Nullable String accept, String request) {
    Optional<Connector> found = connectors.find(caller, id);
    if (found.isEmpty()) {
      return new Tested.NotFound();
    }
    Connector connector = found.get();
    if (connector.status() == ConnectorStatus.PENDING_AUTH) {
      return new Tested.PendingAuth();
    }
    Finding finding = ports.probe().probe(connector);
    Instant now = clock.instant();
    writes.tested(connector, Timestamps.format(now));
    return switch (finding) {
      case Finding.Passed(Duration latency, List<McpTool> listed) -> {
        health.passed(connector);
        yield passed(
            connector,
            latency,
            now,
            McpListing.of(listed, connector.listed()),
            accept,
            new ConnectorWrites.By(caller, request));
      }
      case Finding.CredentialsRejected(String error) -> {
        health.rejected(connector, error);
        yield new Tested.CredentialsRejected(error);
      }
      case Finding.UpstreamFailed(String error) -> {
        health.failed(connector, error);
        yield new Tested.UpstreamFailed(error);
      }
    };
  }

  private Tested passed(
      Connector connector,
      Duration latency,
      Instant now,
      McpListing listing,
      @Nullable String accept,
      ConnectorWrites.By by) {
    boolean lists = connector.listing().engine() == Engine.MCP;
    String digest = lists ? listing.digest() : null;
    if (accept != null && !accept.equals(digest)) {
      return new Tested.ListedOtherwise();
    }
    if (accept != null && !accept(connector, listing, now, by)) {
      return new Tested.Contended();
    }
    List<String> changed =
        lists && accept == null ? connector.toolNames(listing.changed()) : List.of();
    return new Tested.Passed(ConnectorStatus.CONNECTED, latency, now, changed, digest);
  }

  /**
   * Has the listing be the accepted one: the one way in which that changes while a server stays.
   */
  private boolean accept(
      Connector connector, McpListing listing, Instant now, ConnectorWrites.By by) {
    McpListing accepted = McpListing.of(connector.listed(), connector.listed());
    return accepted.digest().equals(listing.digest())
        || writes.accept(connector, connector.accepting(listing.tools()).updated(now), by);
  }

  private Listing listing(Fields body) {
    String id = body.text("listing_id", 1, 63);
    return connectors
        .listing(id)
        .orElseThrow(() -> ApiException.invalid("listing_id", "There is no listing " + id + "."));
  }

  /** What the test request makes of a connector about to be stored. */
  private sealed interface Trial {
    record Kept(Connector connector) implements Trial {}

    record Rejected(String error) implements Trial {}
  }

  private Trial tried(Connector connector, Credentials credentials) {
    if (credentials instanceof Credentials.OAuth2) {
      return new Trial.Kept(connector.with(ConnectorStatus.PENDING_AUTH, null));
    }
    if (credentials instanceof Credentials.None && connector.listing().takesOnlyOAuth2()) {
      return new Trial.Kept(
          connector.with(ConnectorStatus.PENDING_AUTH, "It has no credentials to be authorised."));
    }
    if (credentials instanceof Credentials.None && connector.listing().engine() != Engine.MCP) {
      return new Trial.Kept(connector);
    }
    return switch (ports.probe().probe(connector)) {
      case Finding.Passed(Duration _, List<McpTool> listed) ->
          new Trial.Kept(connector.with(ConnectorStatus.CONNECTED, null).served(listed));
      case Finding.CredentialsRejected(String error) -> new Trial.Rejected(error);
      case Finding.UpstreamFailed(String error) ->
          new Trial.Kept(connector.with(ConnectorStatus.DEGRADED, error));
    };
  }

  /**
   * The connector with changes applied; new credentials make it connected until its test says
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
        credentials == null ? before.credentials() : credentials.seal(sealer, before.id()),
        List.of(),
        config.tools(),
        before.failing(),
        before.version() + 1,
        before.createdAt(),
        clock.instant(),
        before.testedAt());
  }

  /**
   * Stored credentials go to the place they were given for, and nowhere else: nobody can have them
   * sent to himself.
   */
  private static void requireCredentialsAnew(Connector before, Connector after) {
    boolean authorized = before.credentials().type().equals(AuthorizationServer.OAUTH2);
    if (before.credentials().sealed() != null
        && (!before.baseUrl().equals(after.baseUrl())
            || authorized && !Objects.equals(tokenUrl(before), tokenUrl(after)))) {
      throw new ApiException(
          new ApiError(
              ErrorCode.MISSING_PARAMETER,
              "credentials must be given again when config says that they go elsewhere.",
              "credentials",
              null,
              null));
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
      throw ApiException.missing("config." + AuthorizationServer.OAUTH2);
    }
  }

  /**
   * A capability that an active operator needs and only this connector fulfils, once these are its
   * tools.
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
