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
 * The credentials that a connector's requests are made with: opened, and their access token renewed
 * when it has expired (RFC 6749, section 6). A refresh token may be good for one use only, so one
 * call at a time renews, under a lease on the connector, and the others wait for what it gets.
 *
 * <p>One loss is left: a process that dies after the authorisation server has answered and before
 * the answer is stored takes the new refresh token with it. The next refresh is then rejected, and
 * the connector's owner authorises it anew. Thread-safe.
 */
public final class AccessTokens {
  /** Longest one exchange with the token URL. */
  private static final Duration LONGEST_EXCHANGE = Duration.ofSeconds(8);

  /** Outlasts the exchange and the write after it; a call that died holds others up no longer. */
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

  /** What a request may be made with. */
  public sealed interface Access {
    /** These credentials. */
    record Granted(Credentials credentials) implements Access {}

    /** Nothing, until its owner does something about it. */
    record Denied(String why) implements Access {}

    /** Nothing, since the authorisation server rejected the refresh token. */
    record Rejected(String error) implements Access {}

    /** Nothing, since the service cannot open what it keeps: no doing of its owner. */
    record Unopened(String why) implements Access {}

    /**
     * Nothing for now.
     *
     * @param after how long the authorisation server asks to wait; null if it does not say
     */
    record Unavailable(String why, @Nullable Duration after) implements Access {
      public Unavailable(String why) {
        this(why, null);
      }
    }
  }

  /** What the connector's next request may be made with, found out within this time. */
  public Access of(Connector connector, Duration within) {
    return switch (open(connector).orElse(null)) {
      case null -> new Access.Unopened("the connector's credentials cannot be opened");
      case Credentials.None _ when connector.status() == ConnectorStatus.PENDING_AUTH ->
          new Access.Denied("the connector waits to be authorised");
      case OAuth2 client when client.tokens() == null ->
          new Access.Denied("the connector waits to be authorised");
      case OAuth2 client when !serves(client, null) -> renew(connector, null, within);
      case Credentials credentials -> new Access.Granted(credentials);
    };
  }

  /** Whether there may be others when the source system has rejected these. */
  public static boolean renewable(Credentials credentials) {
    return credentials instanceof OAuth2 client
        && client.tokens() != null
        && client.tokens().refreshToken() != null;
  }

  /** What it may be made with after the source system has rejected these. */
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
        return new Access.Denied("the connector waits to be authorised");
      }
      if (serves(client, rejected)) {
        return new Access.Granted(client);
      }
      String refreshToken = client.tokens().refreshToken();
      if (refreshToken == null) {
        return new Access.Rejected("the access token is no longer good, and cannot be renewed");
      }
      Duration left = Duration.between(clock.instant(), until);
      if (!left.isPositive()) {
        return new Access.Unavailable("its access token is being renewed by another call");
      }
      String stored = found.get().text(CREDENTIALS);
      // Had before the refresh token is used: what is granted for it must not be lost.
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

  /** Whether this call alone may use the refresh token that is stored now. */
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
   * Stores what came of it and ends the lease; empty when the connector has other credentials by
   * now, which are to be looked at.
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

  /** Ends the lease with these changes. What was granted is worth more than one attempt. */
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
