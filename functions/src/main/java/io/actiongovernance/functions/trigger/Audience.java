package io.actiongovernance.functions.trigger;

import io.actiongovernance.access.Partition;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.Endpoints;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which facts of one batch of changes some webhook endpoint hears of. The endpoints of a partition
 * are read once at most, and only for a fact that could be heard of; since that is after the
 * changes were made, no endpoint is missed that had been there by then. Not thread-safe.
 */
final class Audience {
  private final Endpoints endpoints;
  private final Map<String, Set<DeliveryType>> heard = new HashMap<>();

  Audience(Endpoints endpoints) {
    this.endpoints = endpoints;
  }

  boolean hearsOf(Fact fact) {
    return DeliveryType.parse(fact.type().wire())
        .map(type -> heardIn(fact.partition()).contains(type))
        .orElse(false);
  }

  private Set<DeliveryType> heardIn(String partition) {
    return heard.computeIfAbsent(partition, key -> endpoints.heard(Partition.parse(key)));
  }
}
