package io.actiongovernance.connector;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.Credentials.OAuth2;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Has connectors authorised by their owners: authorisation codes with PKCE (RFC 6749, section 4.1;
 * RFC 7636, method S256). The {@code state} that goes with the owner's browser is sealed: it says
 * which connector is authorised, holds the verifier, and expires. The connector keeps its hash, and
 * loses it when it is used; so each is good once, and only the latest of a connector. Thread-safe.
 */
public final class Authorizations {
  /** How long an authorisation may take, from its URL to the browser's return. */
  public static final Duration LONGEST = Duration.ofHours(1);

  private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(10);
  private static final String NOT_AUTHORIZED = "The connector is not authorised: ";

  private static final Refusal CHANGED =
      new Refusal.Conflict("The connector was changed meanwhile: authorise it anew.");

  private final Store store;
  private final Connectors connectors;
  private final ConnectorWrites writes;
  private final ConnectorProbe probe;
  private final ConnectorHealth health;
  private final BiPredicate<TenantId, KeyId> keyIsActive;
  private final TokenEndpoint endpoint;
  private final Sealer sealer;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final URI redirectUri;

  /**
   * @param keyIsActive whether a key is neither revoked nor at its end
   * @param random not to be foreseen
   * @param redirectUri where authorisation servers send browsers back to
   */
  public Authorizations(
      Store store,
      Connectors connectors,
      ConnectorWrites writes,
      ConnectorProbe probe,
      ConnectorHealth health,
      BiPredicate<TenantId, KeyId> keyIsActive,
      TokenEndpoint endpoint,
      Sealer sealer,
      InstantSource clock,
      RandomGenerator random,
      URI redirectUri) {
    this.store = store;
    this.connectors = connectors;
    this.writes = writes;
    this.probe = probe;
    this.health = health;
    this.keyIsActive = keyIsActive;
    this.endpoint = endpoint;
    this.sealer = sealer;
    this.clock = clock;
    this.random = random;
    this.redirectUri = redirectUri;
  }

  /**
   * An authorisation that has begun.
   *
   * @param url for the owner's browser
   */
  public record Begun(Connector connector, URI url) {}

  /** Begins another authorisation; the one before, if it is under way, ends. */
  public Outcome<Begun> begin(Caller caller, ConnectorId id) {
    return connectors
        .retrieve(caller, id)
        .then(
            connector ->
                begin(caller, connector)
                    .map(url -> Outcome.done(new Begun(connector, url)))
                    .orElseGet(() -> Outcome.refused(notToBeAuthorized(connector))));
  }

  private static Refusal notToBeAuthorized(Connector connector) {
    return new Refusal.Conflict(
        "The connector's credentials are of type "
            + connector.credentials().type()
            + ", which nobody authorises.");
  }

  /** Where its owner authorises it; empty for one that is not authorised so. */
  public Optional<URI> begin(Caller caller, Connector connector) {
    AuthorizationServer server = connector.authorizationServer();
    if (server == null
        || !(Credentials.open(connector.credentials(), sealer, connector.id()).orElse(null)
            instanceof OAuth2 client)) {
      return Optional.empty();
    }
    AuthorizationState state =
        AuthorizationState.of(connector, caller.principal(), random, clock.instant().plus(LONGEST));
    String sealed = state.sealed(sealer);
    // Refused when the connector is gone: nobody will come to use it.
    store.write(
        Write.update(
            key(connector),
            Condition.present(),
            Change.set(ConnectorItems.AUTHORIZING, CanonicalJson.sha256(sealed))));
    return Optional.of(server.url(client.clientId(), redirectUri, sealed, state.challenge()));
  }

  /**
   * The browser is back. What it completes is the change of who began it: so its receipt says.
   *
   * @param code null when it brings an error
   * @param error null when it brings a code
   * @param requestId of the browser's request
   * @param minted for that request
   */
  public Outcome<Connector> complete(
      String sealedState,
      @Nullable String code,
      @Nullable String error,
      RequestId requestId,
      String minted) {
    Optional<AuthorizationState> opened = AuthorizationState.open(sealedState, sealer);
    if (opened.isEmpty()) {
      return badState("state is none that was made here.");
    }
    AuthorizationState state = opened.get();
    if (!clock.instant().isBefore(state.expiresAt())) {
      return badState("state has expired: begin the authorisation anew.");
    }
    if (!keyIsActive.test(state.partition().tenant(), new KeyId(state.begunBy().id()))) {
      return badState("the key that began the authorisation has ended.");
    }
    Optional<Connector> found = connectors.find(state.partition(), state.connector());
    if (found.isEmpty() || !use(found.get(), sealedState)) {
      return badState(
          "state was used before, or is not the latest of its connector: begin the authorisation"
              + " anew.");
    }
    Connector connector = found.get();
    if (code == null) {
      String why = "the authorisation was refused: " + legible(error);
      explain(connector, why);
      return authFailed(why);
    }
    return exchange(
        connector,
        code,
        state.verifier(),
        new ConnectorWrites.By(state.begunBy(), requestId, minted));
  }

  /** Whether it was good: it is no longer. */
  private boolean use(Connector connector, String sealedState) {
    Condition latest =
        Condition.and(
            Condition.equal(ConnectorItems.AUTHORIZING, CanonicalJson.sha256(sealedState)),
            // What is exchanged now is of the connector that was read.
            Condition.equal(ConnectorItems.VERSION, connector.version()));
    return store
        .write(Write.update(key(connector), latest, Change.remove(ConnectorItems.AUTHORIZING)))
        .done();
  }

  private Outcome<Connector> exchange(
      Connector connector, String code, String verifier, ConnectorWrites.By by) {
    AuthorizationServer server = connector.authorizationServer();
    if (server == null
        || !(Credentials.open(connector.credentials(), sealer, connector.id()).orElse(null)
            instanceof OAuth2 client)) {
      return Outcome.refused(CHANGED);
    }
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
    return switch (endpoint.ask(server, client, grant, LONGEST_EXCHANGE)) {
      case TokenEndpoint.Answer.Granted granted -> {
        OAuth2 unauthorized = new OAuth2(client.clientId(), client.clientSecret(), null);
        OAuth2 authorized = unauthorized.with(granted, clock.instant());
        yield tried(connector, connector.with(authorized.seal(sealer, connector.id())), by);
      }
      case TokenEndpoint.Answer.Rejected(String error) -> {
        explain(connector, error);
        yield authFailed(error);
      }
      case TokenEndpoint.Answer.Failed(String error) -> {
        explain(connector, error);
        yield Outcome.refused(new Refusal.UpstreamFailed(NOT_AUTHORIZED + error));
      }
    };
  }

  /** As at install, the test request decides. */
  private Outcome<Connector> tried(Connector before, Connector authorized, ConnectorWrites.By by) {
    return switch (probe.probe(authorized)) {
      case Finding.Passed(Duration _, List<McpTool> listed) ->
          keep(before, authorized.with(ConnectorStatus.CONNECTED, null).served(listed), by);
      case Finding.UpstreamFailed(String error) ->
          keep(before, authorized.with(ConnectorStatus.DEGRADED, error), by);
      case Finding.CredentialsRejected(String error) -> {
        explain(before, error);
        yield authFailed(error);
      }
    };
  }

  private Outcome<Connector> keep(Connector before, Connector authorized, ConnectorWrites.By by) {
    health.forget(before);
    return writes.authorize(before, authorized, by)
        ? Outcome.done(authorized)
        : Outcome.refused(CHANGED);
  }

  /** The state was not made here, has expired, or was used. */
  private static Outcome<Connector> badState(String why) {
    return Outcome.refused(new Refusal.Invalid("state", why));
  }

  /** The owner, the authorisation server or the source system refused. */
  private static Outcome<Connector> authFailed(String why) {
    return Outcome.refused(new Refusal.AuthFailed(NOT_AUTHORIZED + why));
  }

  /** Tells the owner of one that waits why it still does. */
  private void explain(Connector connector, String why) {
    store.write(
        Write.update(
            key(connector),
            Condition.and(
                Condition.equal(ConnectorItems.STATUS, ConnectorStatus.PENDING_AUTH.wire()),
                Condition.equal(ConnectorItems.VERSION, connector.version())),
            ConnectorWrites.reason(why),
            updated()));
  }

  private Change updated() {
    return Change.set(ConnectorItems.UPDATED, Timestamps.format(clock.instant()));
  }

  /** What the browser brought may be anything: an error's name has these characters (4.1.2.1). */
  private static String legible(@Nullable String error) {
    return error != null && error.matches("[a-zA-Z0-9_.-]{1,100}") ? error : "no code was given";
  }

  private static Key key(Connector connector) {
    return ConnectorItems.key(connector.partition(), connector.id());
  }
}
