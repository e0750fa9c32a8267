package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.channel.NotificationType;
import io.actiongovernance.webhook.DeliveryType;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which facts go to which queue. */
final class FactRuleTest {
  @ParameterizedTest
  @EnumSource
  void factsForEndpointsGoToTheDeliverRuleOnly(DeliveryType type) {
    FactType fact =
        Arrays.stream(FactType.values())
            .filter(one -> one.wire().equals(type.wire()))
            .findFirst()
            .orElseThrow();
    // Else a relay that drops what no endpoint hears of would drop what another rule takes.
    assertThat(FactRule.values())
        .filteredOn(rule -> rule.types().contains(fact))
        .containsExactly(FactRule.DELIVER);
  }

  @Test
  void theDeliverRuleTakesExactlyEndpointAndChannelFacts() {
    Set<String> asked =
        Stream.concat(
                Arrays.stream(DeliveryType.values()).map(DeliveryType::wire),
                Arrays.stream(NotificationType.values()).flatMap(type -> type.facts().stream()))
            .collect(Collectors.toSet());
    assertThat(FactRule.DELIVER.types())
        .extracting(FactType::wire)
        .containsExactlyInAnyOrderElementsOf(asked);
  }
}
