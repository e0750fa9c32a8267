package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EndpointId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's subscription to types of facts (specification, Webhook endpoint object). Immutable.
 *
 * @param workspaceId the workspace whose objects are reported to it, or null for all of the
 *     tenant's
 * @param statusReason why it is suspended, or null
 * @param version number of its changes
 */
public record Endpoint(
    EndpointId id,
    Partition partition,
    @Nullable String workspaceId,
    String url,
    List<DeliveryType> types,
    @Nullable String description,
    EndpointStatus status,
    @Nullable String statusReason,
    Secrets secrets,
    long version,
    Instant createdAt,
    Instant updatedAt) {
  public Endpoint {
    types = List.copyOf(types);
  }

  /**
   * Secrets of an endpoint, sealed.
   *
   * @param previous the secret before, while both sign; null if there is none
   * @param rotatedBy the request that made the present secret, so that a retry of it finds its own
   *     result
   */
  public record Secrets(
      String hint, String sealed, @Nullable Previous previous, String rotatedBy) {}

  /** A rotated secret, and the time until which it still signs beside its successor. */
  public record Previous(String sealed, Instant expiresAt) {}

  public Destination destination() {
    return new Destination(partition, id);
  }

  public boolean active() {
    return status == EndpointStatus.ACTIVE;
  }

  /** Returns the types to which it subscribes: none while it is not active. */
  List<DeliveryType> heard() {
    return active() ? types : List.of();
  }

  /**
   * Returns whether objects of the workspace are reported to it; null stands for a tenant-wide
   * object.
   */
  boolean hearsOf(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  /** Returns the time until which the previous secret still signs; null if it does not sign. */
  public @Nullable Instant previousSecretExpiresAt(Instant now) {
    Previous previous = secrets.previous();
    return previous == null || !now.isBefore(previous.expiresAt()) ? null : previous.expiresAt();
  }
}
