package io.actiongovernance.functions.trigger;

import io.actiongovernance.access.Partition;
import io.actiongovernance.webhook.Endpoints;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Who hears of the facts of one batch of changes: of what webhook endpoints and channels may ask for,
 * those that do; of all else the service itself. Those of a partition are read once at most, and
 * only for a fact that one could ask for; since that is after the changes were made, none is missed
 * that had been there by then. Not thread-safe.
 */
final class Audience {
  private final Endpoints endpoints;
  private final boolean everything;
  private final Map<String, Set<String>> heard = new HashMap<>();

  /**
   * @param everything whether somebody else on the bus hears of every fact
   */
  Audience(Endpoints endpoints, boolean everything) {
    this.endpoints = endpoints;
    this.everything = everything;
  }

  boolean hearsOf(Fact fact) {
    return everything
        || !FactRule.DELIVER.types().contains(fact.type())
        || heardIn(fact.partition()).contains(fact.type().wire());
  }

  private Set<String> heardIn(String partition) {
    return heard.computeIfAbsent(partition, key -> endpoints.heard(Partition.parse(key)));
  }
}
