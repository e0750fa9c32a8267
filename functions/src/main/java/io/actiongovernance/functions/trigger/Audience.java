package io.actiongovernance.functions.trigger;

import io.actiongovernance.access.Partition;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.Endpoints;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Who hears of the facts of one batch of changes: of what webhook endpoints may ask for, those that
 * do; of all else the service itself. The endpoints of a partition are read once at most, and only
 * for a fact that one could ask for; since that is after the changes were made, no endpoint is
 * missed that had been there by then. Not thread-safe.
 */
final class Audience {
  private final Endpoints endpoints;
  private final boolean everything;
  private final Map<String, Set<DeliveryType>> heard = new HashMap<>();

  /**
   * @param everything whether somebody else on the bus hears of every fact
   */
  Audience(Endpoints endpoints, boolean everything) {
    this.endpoints = endpoints;
    this.everything = everything;
  }

  boolean hearsOf(Fact fact) {
    return everything
        || DeliveryType.parse(fact.type().wire())
            .map(type -> heardIn(fact.partition()).contains(type))
            .orElse(true);
  }

  private Set<DeliveryType> heardIn(String partition) {
    return heard.computeIfAbsent(partition, key -> endpoints.heard(Partition.parse(key)));
  }
}
