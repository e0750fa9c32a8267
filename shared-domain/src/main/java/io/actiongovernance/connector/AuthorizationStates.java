package io.actiongovernance.connector;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The {@code state} of authorisations, sealed in the owner's browser. It names the connector, holds
 * the verifier, and expires. The connector keeps the state's hash until the state is used. So each
 * state is single-use, and only the latest state of a connector is valid. Thread-safe.
 */
public final class AuthorizationStates {
  /** Maximum time from the creation of an authorisation's URL to the browser's return. */
  public static final Duration LONGEST = Duration.ofHours(1);

  private final Store store;
  private final BiPredicate<Partition, Principal> isActive;
  private final Sealer sealer;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * @param isActive whether a key is neither revoked nor expired, or a person is not suspended
   * @param random must be unpredictable
   */
  public AuthorizationStates(
      Store store,
      BiPredicate<Partition, Principal> isActive,
      Sealer sealer,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.isActive = isActive;
    this.sealer = sealer;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Begins an authorisation and returns its sealed address. The previous address becomes invalid.
   */
  String begin(Connector connector, Principal by) {
    String address =
        AuthorizationState.of(connector, by, random, clock.instant().plus(LONGEST)).sealed(sealer);
    // Refused if the connector no longer exists. Nobody will use the state then.
    store.write(
        Write.update(
            key(connector),
            Condition.present(),
            Change.set(ConnectorItems.AUTHORIZING, AuthorizationState.hash(address))));
    return address;
  }

  /** Opens an address. Only its connector can tell whether it is the latest. */
  Outcome<AuthorizationState> inAddress(String address) {
    return inForce(AuthorizationState.inAddress(address, sealer));
  }

  /** Returns whether an address is the latest one of its connector, and unused. */
  boolean isLatest(Connector connector, String address) {
    return store
        .get(key(connector))
        .map(item -> item.textOrNull(ConnectorItems.AUTHORIZING))
        .filter(AuthorizationState.hash(address)::equals)
        .isPresent();
  }

  /**
   * A browser on its way to the authorisation server.
   *
   * @param shown the cookie value it must present on its return
   */
  record Leaving(AuthorizationState state, String sealed, String shown) {}

  /**
   * Binds an authorisation to the browser that opened its address. The address stays valid, so
   * another browser may open it, or a program that checks links.
   *
   * @param shown the browser's cookie value from an earlier authorisation, or null
   */
  Leaving leave(AuthorizationState inAddress, String address, @Nullable String shown) {
    String known = shown != null && RandomText.isOne(shown) ? shown : RandomText.next(random);
    AuthorizationState state = inAddress.in(address, known, random);
    return new Leaving(state, state.sealed(sealer), known);
  }

  /**
   * Opens a state that came back. Only its connector can tell whether it is still valid.
   *
   * @param shown the browser's cookie value, or null
   */
  Outcome<AuthorizationState> back(String sealedState, @Nullable String shown) {
    return inForce(AuthorizationState.back(sealedState, sealer))
        .then(
            state ->
                state.isOf(shown)
                    ? Outcome.done(state)
                    : bad("state belongs to another browser. Open the authorization_url again."));
  }

  private Outcome<AuthorizationState> inForce(Optional<AuthorizationState> opened) {
    if (opened.isEmpty()) {
      return bad("state was not issued by this service.");
    }
    AuthorizationState state = opened.get();
    if (!clock.instant().isBefore(state.expiresAt())) {
      return bad("state has expired. Start the authorisation again.");
    }
    if (!isActive.test(state.partition(), state.begunBy())) {
      return bad("The key or person that started the authorisation is no longer active.");
    }
    return Outcome.done(state);
  }

  /** Uses up the state; returns whether it was valid. */
  boolean use(Connector connector, AuthorizationState state) {
    Condition latest =
        Condition.and(
            Condition.equal(ConnectorItems.AUTHORIZING, Objects.requireNonNull(state.begun())),
            // The exchange that follows is for the connector as it was read.
            Condition.equal(ConnectorItems.VERSION, connector.version()));
    return store
        .write(Write.update(key(connector), latest, Change.remove(ConnectorItems.AUTHORIZING)))
        .done();
  }

  /** Refuses a state that was not made here, has expired, or has already been used. */
  static <T> Outcome<T> bad(String why) {
    return Outcome.refused(new Refusal.Invalid("state", why));
  }

  private static Key key(Connector connector) {
    return ConnectorItems.key(connector.partition(), connector.id());
  }
}
