package io.actiongovernance.functions.trigger;

import io.actiongovernance.access.Partition;
import io.actiongovernance.channel.NotificationType;
import io.actiongovernance.webhook.DeliveryType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Who hears of the facts of one batch of changes: of what webhook endpoints and channels may ask
 * for, those that do; of all else the service itself. Those of a partition are read once at most,
 * and only for a fact that one could ask for; since that is after the changes were made, none is
 * missed that had been there by then. Not thread-safe.
 */
final class Audience {
  private final Listeners listeners;
  private final boolean everything;
  private final Map<String, Set<DeliveryType>> heard = new HashMap<>();
  private final Map<String, Set<String>> rung = new HashMap<>();

  /**
   * @param everything whether somebody else on the bus hears of every fact
   */
  Audience(Listeners listeners, boolean everything) {
    this.listeners = listeners;
    this.everything = everything;
  }

  boolean hearsOf(Fact fact) {
    return everything
        || !FactRule.DELIVER.types().contains(fact.type())
        || isHeardByEndpoints(fact)
        || isHeardByChannels(fact);
  }

  private boolean isHeardByEndpoints(Fact fact) {
    return DeliveryType.parse(fact.type().wire())
        .map(type -> heardIn(fact.partition()).contains(type))
        .orElse(false);
  }

  private Set<DeliveryType> heardIn(String partition) {
    return heard.computeIfAbsent(
        partition, key -> listeners.endpoints().heard(Partition.parse(key)));
  }

  private boolean isHeardByChannels(Fact fact) {
    String name = fact.type().wire();
    return NotificationType.ofFact(name).isPresent() && rungIn(fact.partition()).contains(name);
  }

  private Set<String> rungIn(String partition) {
    return rung.computeIfAbsent(partition, key -> listeners.channels().heard(Partition.parse(key)));
  }
}
