package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.event.ruler.Machine;

/**
 * The bus of facts: EventBridge's own matcher in front of the queues. An entry has been accepted
 * once every queue that its rules name has it. Thread-safe.
 */
public final class EventBus {
  private final String name;
  private final EmbeddedSqs queues;
  private final Machine rules = Machine.builder().build();

  public EventBus(String prefix, EmbeddedSqs queues) {
    this.name = FactRule.busName(prefix);
    this.queues = queues;
    try {
      for (FactRule rule : FactRule.values()) {
        rules.addRule(rule.name(), rule.pattern());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return name;
  }

  /**
   * Delivers one event and returns its id.
   *
   * @param detail a JSON object
   */
  String put(String source, String type, JsonNode detail) {
    String id = UUID.randomUUID().toString();
    ObjectNode event = Json.object().put("version", "0").put("id", id);
    event.put("detail-type", type).put("source", source).put("account", Aws.ACCOUNT);
    event.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    event.put("region", Aws.REGION.id());
    event.putArray("resources");
    event.set("detail", detail);
    SqsClient sqs = queues.client();
    for (String rule : matching(Json.write(event))) {
      String url = queues.url(FactRule.valueOf(rule).queue());
      sqs.sendMessage(request -> request.queueUrl(url).messageBody(Json.write(detail)));
    }
    return id;
  }

  private List<String> matching(String event) {
    try {
      return rules.rulesForJSONEvent(event);
    } catch (Exception e) { // what its signature declares; the event is well-formed
      throw new IllegalStateException("The rules could not be matched.", e);
    }
  }
}
