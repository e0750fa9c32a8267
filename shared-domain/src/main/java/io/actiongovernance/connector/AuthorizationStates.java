package io.actiongovernance.connector;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;

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

  /** A new state, and what goes with the browser. */
  record Begun(AuthorizationState state, String sealed) {}

  /** Makes the state of another authorisation; the one before is no longer good. */
  Begun begin(Connector connector, Principal by) {
    AuthorizationState state =
        AuthorizationState.of(connector, by, random, clock.instant().plus(LONGEST));
    String sealed = state.sealed(sealer);
    // Refused when the connector is gone: nobody will come to use it.
    store.write(
        Write.update(
            key(connector),
            Condition.present(),
            Change.set(ConnectorItems.AUTHORIZING, CanonicalJson.sha256(sealed))));
    return new Begun(state, sealed);
  }

  /** Opens a state; whether it is good still, its connector knows. */
  Outcome<AuthorizationState> open(String sealedState) {
    Optional<AuthorizationState> opened = AuthorizationState.open(sealedState, sealer);
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
  boolean use(Connector connector, String sealedState) {
    Condition latest =
        Condition.and(
            Condition.equal(ConnectorItems.AUTHORIZING, CanonicalJson.sha256(sealedState)),
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
