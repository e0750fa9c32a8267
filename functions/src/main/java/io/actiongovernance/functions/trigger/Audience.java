package io.actiongovernance.functions.trigger;

import io.actiongovernance.access.Partition;
import io.actiongovernance.channel.NotificationType;
import io.actiongovernance.webhook.DeliveryType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Decides which facts of one batch of changes are published. A fact that webhook endpoints and
 * channels may subscribe to is published if one of them does. Any other fact serves the service
 * itself, and is always published.
 *
 * <p>A partition's subscribers are read at most once, and only for a fact that they may subscribe
 * to. They are read after the changes were made, so no subscriber that existed at that time is
 * missed. Not thread-safe.
 */
final class Audience {
  private final Listeners listeners;
  private final boolean everything;
  private final Map<String, Set<DeliveryType>> heard = new HashMap<>();
  private final Map<String, Set<String>> rung = new HashMap<>();

  /**
   * @param everything whether another party on the bus receives every fact, so that all are
   *     published
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
