package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DestinationId;

/** Target of deliveries: a webhook endpoint or a channel of a tenant and mode. */
public record Destination(Partition partition, DestinationId id) {}
