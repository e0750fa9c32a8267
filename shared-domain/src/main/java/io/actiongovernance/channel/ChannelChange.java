package io.actiongovernance.channel;

import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Given;
import io.actiongovernance.webhook.EndpointStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's changes to a channel; null fields stay unchanged (contract for people, section 5).
 * Duplicates count once.
 */
public record ChannelChange(
    WantedLine line,
    @Nullable List<NotificationType> types,
    @Nullable List<OperatorId> operators,
    Given<String> description,
    @Nullable EndpointStatus status) {
  public ChannelChange {
    types = types == null ? null : types.stream().distinct().toList();
    operators = operators == null ? null : operators.stream().distinct().toList();
  }
}
