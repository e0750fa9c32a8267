package io.actiongovernance.channel;

import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Given;
import io.actiongovernance.webhook.EndpointStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request changes of a channel; what is null stays (contract for people, section 5). What is
 * named twice counts once.
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
