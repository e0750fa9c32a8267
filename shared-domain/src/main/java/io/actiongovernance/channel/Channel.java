package io.actiongovernance.channel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.webhook.Destination;
import io.actiongovernance.webhook.EndpointStatus;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's doorbell (contract for people, section 5): it reports what waits, and decides nothing.
 * Immutable.
 *
 * @param workspaceId the workspace whose objects it reports, or null for all of the tenant's
 * @param operators the operators whose plans and halts it reports; empty for all operators
 * @param line the way to reach it, without its secret
 * @param secret sealed: the URL of an incoming webhook, or the credentials of a mail server; null
 *     for a mail server that asks for none
 * @param statusReason why it is suspended, or null
 * @param version number of its changes
 */
public record Channel(
    ChannelId id,
    Partition partition,
    @Nullable String workspaceId,
    @Nullable String description,
    List<NotificationType> types,
    List<OperatorId> operators,
    Line line,
    @Nullable String secret,
    EndpointStatus status,
    @Nullable String statusReason,
    long version,
    Instant createdAt,
    Instant updatedAt) {
  /**
   * Maximum number of channels of a tenant, both modes together (contract for people, section 5).
   */
  public static final int QUOTA = 20;

  public Channel {
    types = List.copyOf(types);
    operators = List.copyOf(operators);
  }

  /**
   * Way to reach a channel, without its secret.
   *
   * @param host the host of the incoming webhook, or of the mail server
   * @param port the port of the mail server; null for an incoming webhook
   * @param from the sender of its mails; null for an incoming webhook
   * @param to the recipients of its mails; empty for an incoming webhook
   */
  public record Line(
      ChannelType type,
      String host,
      @Nullable Integer port,
      @Nullable String from,
      List<String> to) {
    public Line {
      to = List.copyOf(to);
    }
  }

  public Destination destination() {
    return new Destination(partition, id);
  }

  public boolean active() {
    return status == EndpointStatus.ACTIVE;
  }

  /** Returns the names of the facts that it reports: none while it is not active. */
  Set<String> heard() {
    return active()
        ? types.stream().flatMap(type -> type.facts().stream()).collect(Collectors.toSet())
        : Set.of();
  }

  /**
   * Returns whether it reports objects of this workspace and this operator.
   *
   * @param workspace null for tenant-wide objects
   * @param operator null for what belongs to no single operator, and so concerns every operator
   */
  boolean ringsFor(@Nullable String workspace, @Nullable OperatorId operator) {
    return (workspaceId == null || workspaceId.equals(workspace))
        && (operators.isEmpty() || operator == null || operators.contains(operator));
  }
}
