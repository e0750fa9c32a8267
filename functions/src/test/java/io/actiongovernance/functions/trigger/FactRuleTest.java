package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.DeliveryType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.event.ruler.Machine;

/** Which facts go to which queue, by the matcher that AWS routes with. */
final class FactRuleTest {
  @ParameterizedTest
  @EnumSource
  void whatNoEndpointHearsOfIsNotDelivered(FactType type) throws Exception {
    assertThat(rules(type, false)).doesNotContain(FactRule.DELIVER);
  }

  @ParameterizedTest
  @EnumSource
  void whatSomeEndpointHearsOfIsDelivered(DeliveryType type) throws Exception {
    FactType fact =
        Arrays.stream(FactType.values())
            .filter(one -> one.wire().equals(type.wire()))
            .findFirst()
            .orElseThrow();
    assertThat(rules(fact, true)).contains(FactRule.DELIVER);
  }

  @Test
  void aFactThatDoesNotSayIsDelivered() throws Exception {
    ObjectNode detail = detail(true);
    detail.remove(Fact.HEARD);
    assertThat(rules(FactType.RECEIPT_WRITTEN, detail)).containsExactly(FactRule.DELIVER);
  }

  @Test
  void nothingIsDeliveredThatEndpointsCannotAskFor() {
    assertThat(FactRule.DELIVER.types()).hasSameSizeAs(DeliveryType.values());
  }

  @ParameterizedTest
  @EnumSource
  void theOtherRulesDoNotAskWhoHears(FactRule rule) throws Exception {
    if (rule != FactRule.DELIVER) {
      for (FactType type : rule.types()) {
        assertThat(rules(type, false)).contains(rule);
        assertThat(rules(type, true)).contains(rule);
      }
    }
  }

  private static List<FactRule> rules(FactType type, boolean heard) throws Exception {
    return rules(type, detail(heard));
  }

  private static ObjectNode detail(boolean heard) {
    Fact fact = Fact.of(Changes.ofObject(Map.of(), Map.of("kind", "receipt"))).getFirst();
    return (ObjectNode) Json.read(fact.detail(heard));
  }

  /** The rules that take a fact. */
  private static List<FactRule> rules(FactType type, ObjectNode detail) throws Exception {
    Machine machine = Machine.builder().build();
    for (FactRule rule : FactRule.values()) {
      machine.addRule(rule.name(), rule.pattern());
    }
    ObjectNode event = Json.object().put("source", FactRule.SOURCE).put("detail-type", type.wire());
    event.set("detail", detail);
    return machine.rulesForJSONEvent(Json.write(event)).stream().map(FactRule::valueOf).toList();
  }
}
