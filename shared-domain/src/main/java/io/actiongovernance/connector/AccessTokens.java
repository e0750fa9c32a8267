package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorItems.CREDENTIALS;
import static io.actiongovernance.connector.ConnectorItems.RENEWING;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.Credentials.OAuth2;
import io.actiongovernance.connector.Credentials.Tokens;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens the credentials of a connector's requests, and renews an expired access token (RFC 6749,
 * section 6). A refresh token may be single-use. So one call at a time renews the access token,
 * under a lease on the connector, and the others wait for the result.
 *
 * <p>One loss is still possible. If a process dies after the authorisation server answered and
 * before the answer is stored, the new refresh token is lost. The next refresh is then rejected,
 * and the connector's owner must authorise the connector again. Thread-safe.
 */
public final class AccessTokens {
  private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(8);

  /**
   * Longer than the exchange and the write after it, so that a dead call does not block others for
   * longer.
   */
  private static final Duration LEASE = Duration.ofSeconds(15);

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int STORE_ATTEMPTS = 3;

  private final Store store;
  private final Connectors connectors;
  private final Sealer sealer;
  private final TokenEndpoint endpoint;
  private final InstantSource clock;
  private final Sleeper sleeper;

  public AccessTokens(
      Store store,
      Connectors connectors,
      Sealer sealer,
      TokenEndpoint endpoint,
      InstantSource clock,
      Sleeper sleeper) {
    this.store = store;
    this.connectors = connectors;
    this.sealer = sealer;
    this.endpoint = endpoint;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** Outcome of a request for credentials. */
  public sealed interface Access {
    record Granted(Credentials credentials) implements Access {}

    /** No credentials until the connector's owner acts. */
    record Denied(String why) implements Access {}

    /** No credentials: the authorisation server rejected the refresh token. */
    record Rejected(String error) implements Access {}

    /**
     * No credentials: the service cannot open the stored credentials, which is not the owner's
     * fault.
     */
    record Unopened(String why) implements Access {}

    /**
     * No credentials for now.
     *
     * @param after the wait that the authorisation server asks for; null if it does not say
     */
    record Unavailable(String why, @Nullable Duration after) implements Access {
      public Unavailable(String why) {
        this(why, null);
      }
    }
  }

  /** Returns the credentials for the connector's next request, within the given time. */
  public Access of(Connector connector, Duration within) {
    return switch (open(connector).orElse(null)) {
      case null -> new Access.Unopened("the connector's credentials cannot be opened");
      case Credentials.None _ when connector.status() == ConnectorStatus.PENDING_AUTH ->
          new Access.Denied("the connector is waiting to be authorised");
      case OAuth2 client when client.tokens() == null ->
          new Access.Denied("the connector is waiting to be authorised");
      case OAuth2 client when !serves(client, null) -> renew(connector, null, within);
      case Credentials credentials -> new Access.Granted(credentials);
    };
  }

  /** Returns whether other credentials may be obtained if the source system rejected these. */
  public static boolean renewable(Credentials credentials) {
    return credentials instanceof OAuth2 client
        && client.tokens() != null
        && client.tokens().refreshToken() != null;
  }

  /** Returns the credentials to use after the source system rejected these. */
  public Access after(Connector connector, Credentials rejected, Duration within) {
    return rejected instanceof OAuth2 client && client.tokens() != null
        ? renew(connector, client.tokens().accessToken(), within)
        : new Access.Denied("the credentials were rejected");
  }

  private boolean serves(OAuth2 client, @Nullable String rejected) {
    Tokens tokens = client.tokens();
    return tokens != null
        && !tokens.accessToken().equals(rejected)
        && (tokens.renewAt() == null || clock.instant().isBefore(tokens.renewAt()));
  }

  private Access renew(Connector asked, @Nullable String rejected, Duration within) {
    Instant until = clock.instant().plus(within);
    Key key = ConnectorItems.key(asked.partition(), asked.id());
    while (true) {
      Optional<Item> found = store.get(key);
      if (found.isEmpty()) {
        return new Access.Denied("the connector was uninstalled");
      }
      Connector connector = connectors.read(found.get());
      AuthorizationServer server = connector.authorizationServer();
      if (server == null || !connector.baseUrl().equals(asked.baseUrl())) {
        return new Access.Denied("the connector was changed meanwhile");
      }
      if (!(open(connector).orElse(null) instanceof OAuth2 client) || client.tokens() == null) {
        return new Access.Denied("the connector is waiting to be authorised");
      }
      if (serves(client, rejected)) {
        return new Access.Granted(client);
      }
      String refreshToken = client.tokens().refreshToken();
      if (refreshToken == null) {
        return new Access.Rejected("the access token is no longer valid, and cannot be renewed");
      }
      Duration left = Duration.between(clock.instant(), until);
      if (!left.isPositive()) {
        return new Access.Unavailable("its access token is being renewed by another call");
      }
      String stored = found.get().text(CREDENTIALS);
      // Obtained before the refresh token is used, because the tokens granted for it must not be
      // lost.
      Sealer.Seal seal = sealer.sealing(connector.partition(), Sealer.Purpose.CREDENTIALS);
      if (lease(key, stored)) {
        TokenEndpoint.Answer answer =
            endpoint.ask(
                server,
                client,
                Map.of("grant_type", "refresh_token", "refresh_token", refreshToken),
                left.compareTo(LONGEST_EXCHANGE) < 0 ? left : LONGEST_EXCHANGE);
        Optional<Access> access = settle(connector, client, answer, seal, stored);
        if (access.isPresent()) {
          return access.get();
        }
      } else {
        sleeper.sleep(PAUSE);
      }
    }
  }

  /** Takes the lease, because only one call may use the stored refresh token. */
  private boolean lease(Key key, String stored) {
    long now = clock.instant().toEpochMilli();
    Condition free = Condition.or(Condition.lacks(RENEWING), Condition.less(RENEWING, now));
    return store
        .write(
            Write.update(
                key,
                Condition.and(Condition.equal(CREDENTIALS, stored), free),
                Change.set(RENEWING, now + LEASE.toMillis())))
        .done();
  }

  /**
   * Stores the result and ends the lease. Empty if the connector has other credentials by now; the
   * caller must then read these.
   */
  private Optional<Access> settle(
      Connector connector,
      OAuth2 client,
      TokenEndpoint.Answer answer,
      Sealer.Seal seal,
      String stored) {
    Key key = ConnectorItems.key(connector.partition(), connector.id());
    return switch (answer) {
      case TokenEndpoint.Answer.Granted granted -> {
        OAuth2 renewed = client.with(granted, clock.instant());
        String sealed = Json.write(renewed.seal(seal, connector.id()));
        yield replace(key, stored, Change.set(CREDENTIALS, sealed))
            ? Optional.of(new Access.Granted(renewed))
            : Optional.empty();
      }
      case TokenEndpoint.Answer.Rejected(String error) ->
          replace(key, stored) ? Optional.of(new Access.Rejected(error)) : Optional.empty();
      case TokenEndpoint.Answer.Failed(String error, Duration after) -> {
        replace(key, stored);
        yield Optional.of(new Access.Unavailable(error, after));
      }
    };
  }

  /**
   * Ends the lease with these changes. It makes several attempts, because a grant must not be lost.
   */
  private boolean replace(Key key, String stored, Change... changes) {
    List<Change> all = new ArrayList<>(List.of(changes));
    all.add(Change.remove(RENEWING));
    Write write = Write.update(key, Condition.equal(CREDENTIALS, stored), all);
    for (int attempt = 1; ; attempt++) {
      try {
        return store.write(write).done();
      } catch (StoreUnavailable e) {
        if (attempt == STORE_ATTEMPTS) {
          throw e;
        }
        sleeper.sleep(PAUSE);
      }
    }
  }

  private Optional<Credentials> open(Connector connector) {
    return Credentials.open(connector.credentials(), sealer, connector.partition(), connector.id());
  }
}
