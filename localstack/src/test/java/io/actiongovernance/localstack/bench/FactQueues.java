package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.event.ruler.Machine;

/** To how many queues the bus sends a fact, by EventBridge's own matcher. Thread-safe. */
final class FactQueues {
  private final Machine rules = Machine.builder().build();

  FactQueues() {
    try {
      for (FactRule rule : FactRule.values()) {
        rules.addRule(rule.name(), rule.pattern());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int of(PutEventsRequestEntry fact) {
    ObjectNode event =
        Json.object().put("source", fact.source()).put("detail-type", fact.detailType());
    event.set("detail", Json.read(fact.detail()));
    try {
      return rules.rulesForJSONEvent(Json.write(event)).size();
    } catch (Exception e) { // what its signature declares; the event is well-formed
      throw new IllegalStateException("The rules could not be matched.", e);
    }
  }
}
