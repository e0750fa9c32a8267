package io.actiongovernance.connector;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Json;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What goes with the owner's browser as {@code state}, sealed: nobody else can read the verifier in
 * it, or make one.
 *
 * @param begunBy who had it begun
 * @param verifier of the code (RFC 7636)
 */
record AuthorizationState(
    Partition partition,
    ConnectorId connector,
    Principal begunBy,
    String verifier,
    Instant expiresAt) {
  private static final String CONTEXT = "state";
  private static final int VERIFIER_BYTES = 32;

  /** As it is sealed. */
  private record Written(
      String partition, String connector, Principal begunBy, String verifier, Instant expiresAt) {}

  /**
   * A new one.
   *
   * @param random not to be foreseen
   */
  static AuthorizationState of(
      Connector connector, Principal begunBy, RandomGenerator random, Instant expiresAt) {
    byte[] bytes = new byte[VERIFIER_BYTES];
    random.nextBytes(bytes);
    return new AuthorizationState(
        connector.partition(), connector.id(), begunBy, base64(bytes), expiresAt);
  }

  String sealed(Sealer sealer) {
    Written written = new Written(partition.key(), connector.value(), begunBy, verifier, expiresAt);
    return sealer.seal(Sealer.Purpose.AUTHORIZATION, CONTEXT, Json.write(written).getBytes(UTF_8));
  }

  /** Empty for what was not sealed here. */
  static Optional<AuthorizationState> open(String sealed, Sealer sealer) {
    return sealer
        .open(Sealer.Purpose.AUTHORIZATION, CONTEXT, sealed)
        .map(text -> Json.read(new String(text, UTF_8), Written.class))
        .map(
            written ->
                new AuthorizationState(
                    Partition.parse(written.partition()),
                    new ConnectorId(written.connector()),
                    written.begunBy(),
                    written.verifier(),
                    written.expiresAt()));
  }

  /** The challenge that its verifier meets: method S256. */
  String challenge() {
    try {
      return base64(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public String toString() {
    return "AuthorizationState[" + connector + "]";
  }
}
