package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DestinationId;

/** Where deliveries go: a webhook endpoint or a channel of a tenant and mode. */
public record Destination(Partition partition, DestinationId id) {}
