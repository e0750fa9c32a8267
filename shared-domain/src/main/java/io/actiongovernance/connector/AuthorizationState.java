package io.actiongovernance.connector;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An authorisation in progress, sealed so that nobody else can read its verifier or make one. It is
 * first in the address that the owner opens here. It is then bound to the owner's browser and goes
 * to the authorisation server as {@code state}.
 *
 * @param verifier the verifier of the code (RFC 7636)
 * @param browser hash of the browser's cookie; null in the address, and in states that builds
 *     before 1.1 sent to the authorisation server
 * @param begun hash of the sealed form in the address; null whenever {@code browser} is null
 */
record AuthorizationState(
    Partition partition,
    ConnectorId connector,
    Principal begunBy,
    String verifier,
    Instant expiresAt,
    @Nullable String browser,
    @Nullable String begun) {
  private static final String ADDRESS = "authorization-address";
  private static final String STATE = "state";

  private record Written(
      String partition,
      String connector,
      Principal begunBy,
      String verifier,
      Instant expiresAt,
      @Nullable String browser,
      @Nullable String begun) {}

  /**
   * Creates the state for an address.
   *
   * @param random must be unpredictable
   */
  static AuthorizationState of(
      Connector connector, Principal begunBy, RandomGenerator random, Instant expiresAt) {
    return new AuthorizationState(
        connector.partition(),
        connector.id(),
        begunBy,
        RandomText.next(random),
        expiresAt,
        null,
        null);
  }

  /**
   * Binds the state to a browser that opened the address.
   *
   * @param address the sealed form in the address
   * @param shown the cookie value that the browser will present
   */
  AuthorizationState in(String address, String shown, RandomGenerator random) {
    return new AuthorizationState(
        partition,
        connector,
        begunBy,
        RandomText.next(random),
        expiresAt,
        hash(shown),
        hash(address));
  }

  static String hash(String text) {
    return CanonicalJson.sha256(text);
  }

  /** Returns whether a browser that presents this value opened the address. */
  boolean isOf(@Nullable String shown) {
    return shown != null && hash(shown).equals(browser);
  }

  String sealed(Sealer sealer) {
    Written written =
        new Written(
            partition.key(), connector.value(), begunBy, verifier, expiresAt, browser, begun);
    return sealer.seal(
        Sealer.Purpose.AUTHORIZATION,
        browser == null ? ADDRESS : STATE,
        Json.write(written).getBytes(UTF_8));
  }

  /** Opens the state in an address; empty if the state was not sealed here for an address. */
  static Optional<AuthorizationState> inAddress(String sealed, Sealer sealer) {
    return open(ADDRESS, sealed, sealer);
  }

  /**
   * Opens the state that an authorisation server returns; empty if the state was not sealed here
   * for one.
   */
  static Optional<AuthorizationState> back(String sealed, Sealer sealer) {
    return open(STATE, sealed, sealer);
  }

  private static Optional<AuthorizationState> open(String context, String sealed, Sealer sealer) {
    return sealer
        .open(Sealer.Purpose.AUTHORIZATION, context, sealed)
        .map(text -> Json.read(new String(text, UTF_8), Written.class))
        .map(
            written ->
                new AuthorizationState(
                    Partition.parse(written.partition()),
                    new ConnectorId(written.connector()),
                    written.begunBy(),
                    written.verifier(),
                    written.expiresAt(),
                    written.browser(),
                    written.begun()));
  }

  /** Returns the challenge for the verifier, by the method S256. */
  String challenge() {
    return RandomText.sha256(verifier);
  }

  @Override
  public String toString() {
    return "AuthorizationState[" + connector + "]";
  }
}
