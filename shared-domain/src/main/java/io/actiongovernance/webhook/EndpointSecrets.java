package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.EndpointId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes, rotates and opens the secrets of endpoints, which are stored sealed. Thread-safe. */
public final class EndpointSecrets {
  private final Sealer sealer;
  private final RandomGenerator random;

  public EndpointSecrets(Sealer sealer, RandomGenerator random) {
    this.sealer = sealer;
    this.random = random;
  }

  Endpoint.Secrets first(Partition partition, EndpointId id, String by) {
    return fresh(partition, id, null, by);
  }

  /**
   * Returns a new secret. The previous one still signs during the overlap; older secrets no longer
   * sign. Repeating the request changes nothing.
   */
  Endpoint.Secrets rotated(Endpoint endpoint, Duration overlap, Instant now, String by) {
    Endpoint.Secrets before = endpoint.secrets();
    if (before.rotatedBy().equals(by)) {
      return before;
    }
    Endpoint.Previous previous =
        overlap.isZero() ? null : new Endpoint.Previous(before.sealed(), now.plus(overlap));
    return fresh(endpoint.partition(), endpoint.id(), previous, by);
  }

  SigningSecret present(Endpoint endpoint) {
    return open(endpoint, endpoint.secrets().sealed());
  }

  /** Returns the secrets that sign now, newest first. */
  List<SigningSecret> signing(Endpoint endpoint, Instant now) {
    List<SigningSecret> signing = new ArrayList<>(List.of(present(endpoint)));
    Endpoint.Previous previous = endpoint.secrets().previous();
    if (previous != null && now.isBefore(previous.expiresAt())) {
      signing.add(open(endpoint, previous.sealed()));
    }
    return signing;
  }

  private Endpoint.Secrets fresh(
      Partition partition, EndpointId id, Endpoint.@Nullable Previous previous, String by) {
    SigningSecret secret = SigningSecret.next(random);
    String sealed =
        sealer.seal(
            partition,
            Sealer.Purpose.WEBHOOK_SECRET,
            id.value(),
            secret.text().getBytes(StandardCharsets.UTF_8));
    return new Endpoint.Secrets(secret.hint(), sealed, previous, by);
  }

  private SigningSecret open(Endpoint endpoint, String sealed) {
    return sealer
        .open(endpoint.partition(), Sealer.Purpose.WEBHOOK_SECRET, endpoint.id().value(), sealed)
        .map(text -> new SigningSecret(new String(text, StandardCharsets.UTF_8)))
        .orElseThrow(
            () ->
                new IllegalStateException("The secret of " + endpoint.id() + " cannot be opened"));
  }
}
