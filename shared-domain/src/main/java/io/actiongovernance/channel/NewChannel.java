package io.actiongovernance.channel;

import io.actiongovernance.id.OperatorId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's description of a new channel (contract for people, section 5). Duplicates count once.
 */
public record NewChannel(
    ChannelType type,
    WantedLine line,
    List<NotificationType> types,
    List<OperatorId> operators,
    @Nullable String description,
    @Nullable String workspaceId) {
  public NewChannel {
    types = types.stream().distinct().toList();
    operators = operators.stream().distinct().toList();
  }
}
