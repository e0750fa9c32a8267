package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.id.EndpointId;
import java.util.Optional;

public record DestinationTypes(DestinationType endpoints, DestinationType channels) {
  Optional<DestinationType.Active> active(Partition partition, DestinationId id) {
    return switch (id) {
      case EndpointId _ -> endpoints.active(partition, id);
      case ChannelId _ -> channels.active(partition, id);
    };
  }
}
