package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EndpointId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's subscription to what happens (specification, Webhook endpoint object). Immutable.
 *
 * @param workspaceId the workspace whose objects it hears of, or null for all of the tenant
 * @param statusReason why it is suspended, or null
 * @param version counts its changes
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
   * @param previous the one before, while both sign; null if there is none
   * @param rotatedBy the request that made the present one, so that a retry of it finds its own
   *     result
   */
  public record Secrets(
      String hint, String sealed, @Nullable Previous previous, String rotatedBy) {}

  /** A rotated secret, and until when it signs beside its successor. */
  public record Previous(String sealed, Instant expiresAt) {}

  public Destination destination() {
    return new Destination(partition, id);
  }

  public boolean active() {
    return status == EndpointStatus.ACTIVE;
  }

  /** Returns the types it subscribes to: none while it is not active. */
  List<DeliveryType> heard() {
    return active() ? types : List.of();
  }

  /** Returns whether it hears of objects of the workspace; null stands for a tenant-wide object. */
  boolean hearsOf(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  /** Returns until when the previous secret still signs; null if it does not. */
  public @Nullable Instant previousSecretExpiresAt(Instant now) {
    Previous previous = secrets.previous();
    return previous == null || !now.isBefore(previous.expiresAt()) ? null : previous.expiresAt();
  }
}
