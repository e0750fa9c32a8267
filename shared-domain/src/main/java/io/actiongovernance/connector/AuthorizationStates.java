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
 * The {@code state} of authorisations. It goes with the owner's browser, sealed: it says which
 * connector is authorised, holds the verifier, and expires. The connector keeps its hash, and loses
 * it when it is used; so each is good once, and only the latest of a connector. Thread-safe.
 */
public final class AuthorizationStates {
  /** How long an authorisation may take, from its URL to the browser's return. */
  public static final Duration LONGEST = Duration.ofHours(1);

  private final Store store;
  private final BiPredicate<Partition, Principal> isActive;
  private final Sealer sealer;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * @param isActive whether a key is neither revoked nor at its end, and a person not suspended
   * @param random not to be foreseen
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

  /** Makes what is in the address of another authorisation; the one before is no longer good. */
  String begin(Connector connector, Principal by) {
    String address =
        AuthorizationState.of(connector, by, random, clock.instant().plus(LONGEST)).sealed(sealer);
    // Refused when the connector is gone: nobody will come to use it.
    store.write(
        Write.update(
            key(connector),
            Condition.present(),
            Change.set(ConnectorItems.AUTHORIZING, AuthorizationState.hash(address))));
    return address;
  }

  /** Opens what is in an address; whether it is the latest, its connector knows. */
  Outcome<AuthorizationState> inAddress(String address) {
    return inForce(AuthorizationState.inAddress(address, sealer));
  }

  /** Whether an address is the latest of its connector, and not used. */
  boolean isLatest(Connector connector, String address) {
    return store
        .get(key(connector))
        .map(item -> item.textOrNull(ConnectorItems.AUTHORIZING))
        .filter(AuthorizationState.hash(address)::equals)
        .isPresent();
  }

  /**
   * A browser that goes to the authorisation server.
   *
   * @param sealed its state
   * @param shown what it is to show when it is back
   */
  record Leaving(AuthorizationState state, String sealed, String shown) {}

  /**
   * Binds an authorisation to the browser that has opened its address. The address stays good: it
   * may be opened in another one, and by a program that looks at links.
   *
   * @param shown what the browser shows of an earlier one, or null
   */
  Leaving leave(AuthorizationState inAddress, String address, @Nullable String shown) {
    String known = shown != null && RandomText.isOne(shown) ? shown : RandomText.next(random);
    AuthorizationState state = inAddress.in(address, known, random);
    return new Leaving(state, state.sealed(sealer), known);
  }

  /**
   * Opens a state that has come back; whether it is good still, its connector knows.
   *
   * @param shown what the browser shows, or null
   */
  Outcome<AuthorizationState> back(String sealedState, @Nullable String shown) {
    return inForce(AuthorizationState.back(sealedState, sealer))
        .then(
            state ->
                state.isOf(shown)
                    ? Outcome.done(state)
                    : bad("state is of another browser: open the authorization_url again."));
  }

  private Outcome<AuthorizationState> inForce(Optional<AuthorizationState> opened) {
    if (opened.isEmpty()) {
      return bad("state is none that was made here.");
    }
    AuthorizationState state = opened.get();
    if (!clock.instant().isBefore(state.expiresAt())) {
      return bad("state has expired: begin the authorisation anew.");
    }
    if (!isActive.test(state.partition(), state.begunBy())) {
      return bad("who began the authorisation has ended.");
    }
    return Outcome.done(state);
  }

  /** Whether it was good: it is no longer. */
  boolean use(Connector connector, AuthorizationState state) {
    Condition latest =
        Condition.and(
            Condition.equal(ConnectorItems.AUTHORIZING, Objects.requireNonNull(state.begun())),
            // What is exchanged now is of the connector that was read.
            Condition.equal(ConnectorItems.VERSION, connector.version()));
    return store
        .write(Write.update(key(connector), latest, Change.remove(ConnectorItems.AUTHORIZING)))
        .done();
  }

  /** The state was not made here, has expired, or was used. */
  static <T> Outcome<T> bad(String why) {
    return Outcome.refused(new Refusal.Invalid("state", why));
  }

  private static Key key(Connector connector) {
    return ConnectorItems.key(connector.partition(), connector.id());
  }
}
