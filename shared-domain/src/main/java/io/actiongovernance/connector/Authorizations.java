package io.actiongovernance.connector;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets owners authorise connectors: authorisation codes with PKCE (RFC 6749, section 4.1; RFC 7636,
 * method S256). Thread-safe.
 */
public final class Authorizations {
  private static final String NOT_AUTHORIZED = "The connector is not authorised: ";

  private static final String NOT_LATEST =
      "state was used before, or is not the latest of its connector. Start the authorisation again.";
  private static final Refusal CHANGED =
      new Refusal.Conflict("The connector was changed meanwhile. Authorise it again.");

  private final Connectors connectors;
  private final ConnectorWrites writes;
  private final ConnectorProbe probe;
  private final ConnectorHealth health;
  private final AuthorizationStates states;
  private final CodeGrants grants;

  public Authorizations(
      Connectors connectors,
      ConnectorWrites writes,
      ConnectorProbe probe,
      ConnectorHealth health,
      AuthorizationStates states,
      CodeGrants grants) {
    this.connectors = connectors;
    this.writes = writes;
    this.probe = probe;
    this.health = health;
    this.states = states;
    this.grants = grants;
  }

  /** An authorisation that has begun. */
  public record Redirect(Connector connector, URI url) {}

  /** Begins an authorisation. An earlier one in progress becomes invalid. */
  public Outcome<Redirect> begin(Caller caller, ConnectorId id) {
    return connectors
        .retrieve(caller, id)
        .then(
            connector ->
                begin(caller, connector)
                    .map(url -> Outcome.done(new Redirect(connector, url)))
                    .orElseGet(() -> Outcome.refused(notToBeAuthorized(connector))));
  }

  private static Refusal notToBeAuthorized(Connector connector) {
    return new Refusal.Conflict(
        "The connector's credentials are of type "
            + connector.credentials().type()
            + ", which needs no authorisation.");
  }

  /**
   * Begins an authorisation and returns the URL for the owner; empty if the connector is not
   * authorised in this way.
   */
  public Optional<URI> begin(Caller caller, Connector connector) {
    return grants
        .client(connector)
        .map(_ -> grants.address(states.begin(connector, caller.principal())));
  }

  /**
   * An address that a browser has opened.
   *
   * @param url the authorisation server's URL, for the browser
   * @param shown the cookie value that the browser must present on its return
   */
  public record Opened(Connector connector, Principal begunBy, URI url, String shown) {}

  /**
   * Sends a browser to the authorisation server. Stores nothing: the state that the browser's
   * return needs goes with the browser, sealed and bound to it.
   *
   * @param address the sealed part of the address
   * @param shown the browser's cookie value from an earlier authorisation, or null
   */
  public Outcome<Opened> open(String address, @Nullable String shown) {
    return states.inAddress(address).then(state -> open(state, address, shown));
  }

  private Outcome<Opened> open(AuthorizationState state, String address, @Nullable String shown) {
    Optional<Connector> connector =
        connectors
            .find(state.partition(), state.connector())
            .filter(found -> states.isLatest(found, address));
    if (connector.isEmpty()) {
      return AuthorizationStates.bad(NOT_LATEST);
    }
    Optional<CodeGrants.Client> client = grants.client(connector.get());
    if (client.isEmpty()) {
      return Outcome.refused(CHANGED);
    }
    AuthorizationStates.Leaving leaving = states.leave(state, address, shown);
    return Outcome.done(
        new Opened(
            connector.get(),
            state.begunBy(),
            grants.url(client.get(), leaving.sealed(), leaving.state().challenge()),
            leaving.shown()));
  }

  /**
   * A browser's return.
   *
   * @param code null if it brings an error
   * @param error null if it brings a code
   * @param iss the issuer's own name (RFC 9207), or null
   * @param shown the browser's cookie value, or null
   */
  public record Back(
      String state,
      @Nullable String code,
      @Nullable String error,
      @Nullable String iss,
      @Nullable String shown) {}

  /**
   * Completes an authorisation when the browser has returned. The receipt names the principal who
   * began it.
   */
  public Outcome<Connector> complete(Back back, RequestId requestId, String minted) {
    return states
        .back(back.state(), back.shown())
        .then(
            state ->
                complete(back, state, new ConnectorWrites.By(state.begunBy(), requestId, minted)));
  }

  private Outcome<Connector> complete(Back back, AuthorizationState state, ConnectorWrites.By by) {
    Optional<Connector> found = connectors.find(state.partition(), state.connector());
    // Obtained before the state and the code are used, both of which are single-use.
    Optional<CodeGrants.Client> client = found.flatMap(grants::client);
    Optional<Sealer.Seal> seal = found.map(grants::sealing);
    if (client.isPresent() && !client.get().server().isIssuer(back.iss())) {
      return Outcome.refused(
          new Refusal.Invalid(
              "iss", "iss must name the authorisation server of the connector (RFC 9207)."));
    }
    if (found.isEmpty() || !states.use(found.get(), state)) {
      return AuthorizationStates.bad(NOT_LATEST);
    }
    Connector connector = found.get();
    String code = back.code();
    if (code == null) {
      String why = "the authorisation was refused: " + legible(back.error());
      writes.explain(connector, why);
      return authFailed(why);
    }
    return client.isEmpty()
        ? Outcome.refused(CHANGED)
        : exchange(
            connector, client.get(), seal.orElseThrow(), new Brought(code, state.verifier()), by);
  }

  private record Brought(String code, String verifier) {}

  private Outcome<Connector> exchange(
      Connector connector,
      CodeGrants.Client client,
      Sealer.Seal seal,
      Brought brought,
      ConnectorWrites.By by) {
    return switch (grants.exchange(client, brought.code(), brought.verifier())) {
      case TokenEndpoint.Answer.Granted granted ->
          tried(connector, grants.authorized(connector, client, granted, seal), by);
      case TokenEndpoint.Answer.Rejected(String error) -> {
        writes.explain(connector, error);
        yield authFailed(error);
      }
      case TokenEndpoint.Answer.Failed(String error, _) -> {
        writes.explain(connector, error);
        yield Outcome.refused(new Refusal.UpstreamFailed(NOT_AUTHORIZED + error));
      }
    };
  }

  /** The test request decides, as it does at install. */
  private Outcome<Connector> tried(Connector before, Connector authorized, ConnectorWrites.By by) {
    return switch (probe.probe(authorized)) {
      case Finding.Passed(Duration _, McpOffer offer) ->
          keep(before, authorized.with(ConnectorStatus.CONNECTED, null).served(offer), by);
      case Finding.UpstreamFailed(String error) ->
          keep(before, authorized.with(ConnectorStatus.DEGRADED, error), by);
      case Finding.CredentialsRejected(String error) -> {
        writes.explain(before, error);
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

  /** The owner, the authorisation server or the source system refused. */
  private static Outcome<Connector> authFailed(String why) {
    return Outcome.refused(new Refusal.AuthFailed(NOT_AUTHORIZED + why));
  }

  /**
   * Returns an error's name if it has only the permitted characters (section 4.1.2.1), because the
   * browser may bring anything.
   */
  private static String legible(@Nullable String error) {
    return error != null && error.matches("[a-zA-Z0-9_.-]{1,100}") ? error : "no code was given";
  }
}
