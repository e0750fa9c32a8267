package io.actiongovernance.connector;

import io.actiongovernance.access.Caller;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.RequestId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has connectors authorised by their owners: authorisation codes with PKCE (RFC 6749, section 4.1;
 * RFC 7636, method S256). Thread-safe.
 */
public final class Authorizations {
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

  /** What became of the wish to authorise a connector. */
  public sealed interface Begun {
    /**
     * @param url for the owner's browser
     */
    record Done(Connector connector, URI url) implements Begun {}

    record NotFound() implements Begun {}

    /** Its credentials are not of type {@code oauth2}. */
    record NotToBeAuthorized(String type) implements Begun {}
  }

  /** What became of an authorisation. */
  public sealed interface Completed {
    record Done(Connector connector) implements Completed {}

    /** The state was not made here, has expired, or was used. */
    record BadState(String why) implements Completed {}

    /** The owner, the authorisation server or the source system refused. */
    record Refused(String error) implements Completed {}

    /** The authorisation server erred or was unreachable. */
    record UpstreamFailed(String error) implements Completed {}

    /** The connector was changed or uninstalled meanwhile. */
    record Contended() implements Completed {}
  }

  /** Begins another authorisation; the one before, if it is under way, ends. */
  public Begun begin(Caller caller, ConnectorId id) {
    Optional<Connector> found = connectors.find(caller, id);
    if (found.isEmpty()) {
      return new Begun.NotFound();
    }
    Connector connector = found.get();
    return begin(caller, connector)
        .<Begun>map(url -> new Begun.Done(connector, url))
        .orElseGet(() -> new Begun.NotToBeAuthorized(connector.credentials().type()));
  }

  /** Where its owner authorises it; empty for one that is not authorised so. */
  public Optional<URI> begin(Caller caller, Connector connector) {
    return grants
        .client(connector)
        .map(
            client -> {
              AuthorizationStates.Begun begun = states.begin(connector, caller.principal());
              return grants.url(client, begun.sealed(), begun.state().challenge());
            });
  }

  /**
   * The browser is back. What it completes is the change of who began it: so its receipt says.
   *
   * @param code null when it brings an error
   * @param error null when it brings a code
   * @param requestId of the browser's request
   * @param minted for that request
   */
  public Completed complete(
      String sealedState,
      @Nullable String code,
      @Nullable String error,
      RequestId requestId,
      String minted) {
    return switch (states.open(sealedState)) {
      case AuthorizationStates.Opened.Bad(String why) -> new Completed.BadState(why);
      case AuthorizationStates.Opened.Good(AuthorizationState state) ->
          complete(
              sealedState,
              state,
              code,
              error,
              new ConnectorWrites.By(state.begunBy(), requestId, minted));
    };
  }

  private Completed complete(
      String sealedState,
      AuthorizationState state,
      @Nullable String code,
      @Nullable String error,
      ConnectorWrites.By by) {
    Optional<Connector> found = connectors.find(state.partition(), state.connector());
    if (found.isEmpty() || !states.use(found.get(), sealedState)) {
      return new Completed.BadState(
          "state was used before, or is not the latest of its connector: begin the authorisation"
              + " anew.");
    }
    Connector connector = found.get();
    if (code == null) {
      String why = "the authorisation was refused: " + legible(error);
      writes.explain(connector, why);
      return new Completed.Refused(why);
    }
    return exchange(connector, code, state.verifier(), by);
  }

  private Completed exchange(
      Connector connector, String code, String verifier, ConnectorWrites.By by) {
    Optional<CodeGrants.Client> client = grants.client(connector);
    if (client.isEmpty()) {
      return new Completed.Contended();
    }
    return switch (grants.exchange(client.get(), code, verifier)) {
      case TokenEndpoint.Answer.Granted granted ->
          tried(connector, grants.authorized(connector, client.get(), granted), by);
      case TokenEndpoint.Answer.Rejected(String error) -> {
        writes.explain(connector, error);
        yield new Completed.Refused(error);
      }
      case TokenEndpoint.Answer.Failed(String error) -> {
        writes.explain(connector, error);
        yield new Completed.UpstreamFailed(error);
      }
    };
  }

  /** As at install, the test request decides. */
  private Completed tried(Connector before, Connector authorized, ConnectorWrites.By by) {
    return switch (probe.probe(authorized)) {
      case Finding.Passed(Duration _, List<McpTool> listed) ->
          keep(before, authorized.with(ConnectorStatus.CONNECTED, null).served(listed), by);
      case Finding.UpstreamFailed(String error) ->
          keep(before, authorized.with(ConnectorStatus.DEGRADED, error), by);
      case Finding.CredentialsRejected(String error) -> {
        writes.explain(before, error);
        yield new Completed.Refused(error);
      }
    };
  }

  private Completed keep(Connector before, Connector authorized, ConnectorWrites.By by) {
    health.forget(before);
    return writes.authorize(before, authorized, by)
        ? new Completed.Done(authorized)
        : new Completed.Contended();
  }

  /** What the browser brought may be anything: an error's name has these characters (4.1.2.1). */
  private static String legible(@Nullable String error) {
    return error != null && error.matches("[a-zA-Z0-9_.-]{1,100}") ? error : "no code was given";
  }
}
