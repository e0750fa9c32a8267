package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.event.ruler.Machine;

/**
 * Buses whose rules lead to queues, behind the client interface that the functions use.
 * EventBridge's own matcher is in front of the queues. An entry is accepted once every queue that
 * its rules name has it. The entries of one call for one queue are sent to it in one call.
 * Thread-safe.
 */
public final class EventBus implements EventBridgeClient {
  private static final Logger LOG = LoggerFactory.getLogger(EventBus.class);

  private final SqsClient queues;
  private final Map<String, Machine> buses = new ConcurrentHashMap<>();
  private final Map<String, Rule> rules = new ConcurrentHashMap<>();

  /**
   * The queue that receives the detail of an event.
   *
   * @param group the path to the message's group in the event; null for none
   */
  public record Target(String queueUrl, @Nullable String group) {}

  private record Rule(String pattern, Target target) {}

  /** Starts without rules: all events are accepted, and no queue gets them. */
  public EventBus(SqsClient queues) {
    this.queues = queues;
  }

  public static EventBus ofFacts(String prefix, EmbeddedSqs queues) {
    EventBus facts = new EventBus(queues.client());
    for (FactRule rule : FactRule.ofBus()) {
      facts.add(
          FactRule.busName(prefix),
          rule.name(),
          rule.pattern(),
          new Target(queues.url(rule.queue()), FactRule.GROUP));
    }
    return facts;
  }

  /**
   * Adds a rule, which sends the detail of each matching event to the queue.
   *
   * @param rule the rule's name, which is unique on a bus
   */
  public void add(String bus, String rule, String pattern, Target target) {
    String id = bus + "/" + rule;
    if (rules.putIfAbsent(id, new Rule(pattern, target)) != null) {
      throw new IllegalArgumentException("Two rules have the name " + id + ".");
    }
    match(bus, id, pattern);
  }

  /**
   * Makes a rule match other events. During the change, it matches both the old and the new ones.
   */
  public void change(String bus, String rule, String pattern) {
    String id = bus + "/" + rule;
    Rule before = Objects.requireNonNull(rules.get(id), id);
    match(bus, id, pattern);
    rules.put(id, new Rule(pattern, before.target()));
    try {
      Objects.requireNonNull(buses.get(bus), bus).deleteRule(id, before.pattern());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void match(String bus, String id, String pattern) {
    try {
      buses.computeIfAbsent(bus, _ -> Machine.builder().build()).addRule(id, pattern);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Accepts as many entries as a queue accepts messages in one call, which is also the limit on
   * AWS.
   */
  @Override
  public PutEventsResponse putEvents(PutEventsRequest request) {
    Delivery delivery = new Delivery();
    request.entries().forEach(delivery::add);
    return delivery.send();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  /** Does nothing, because the queues' owner closes them. */
  @Override
  public void close() {}

  /** Delivery of the entries of one call. Not thread-safe. */
  private final class Delivery {
    private final List<PutEventsResultEntry> results = new ArrayList<>();
    private final Map<String, List<SendMessageBatchRequestEntry>> messages = new LinkedHashMap<>();

    void add(PutEventsRequestEntry entry) {
      int at = results.size();
      String id = UUID.randomUUID().toString();
      results.add(PutEventsResultEntry.builder().eventId(id).build());
      if (isBlank(entry.source()) || isBlank(entry.detailType())) {
        refuse(at, "InvalidArgument", "Parameter Source and DetailType are required.");
        return;
      }
      String bus = entry.eventBusName() == null ? "default" : entry.eventBusName();
      Machine machine = buses.get(bus.substring(bus.lastIndexOf('/') + 1));
      if (machine == null) {
        // As on AWS, an event for a bus that does not exist is accepted and matches nothing.
        return;
      }
      @Nullable JsonNode detail = detail(entry);
      if (detail == null) {
        refuse(at, "MalformedDetail", "Detail is malformed.");
        return;
      }
      ObjectNode event = event(id, entry, detail);
      for (String rule : matching(machine, Json.write(event))) {
        messages
            .computeIfAbsent(rule, _ -> new ArrayList<>())
            .add(
                SendMessageBatchRequestEntry.builder()
                    .id(Integer.toString(at))
                    .messageBody(Json.write(detail))
                    .messageGroupId(group(target(rule), event))
                    .build());
      }
    }

    PutEventsResponse send() {
      messages.forEach(this::send);
      long failed = results.stream().filter(result -> result.errorCode() != null).count();
      return PutEventsResponse.builder().entries(results).failedEntryCount((int) failed).build();
    }

    private void send(String rule, List<SendMessageBatchRequestEntry> batch) {
      try {
        queues
            .sendMessageBatch(send -> send.queueUrl(target(rule).queueUrl()).entries(batch))
            .failed()
            .forEach(failed -> undelivered(failed.id(), failed.message()));
      } catch (SdkException e) {
        LOG.warn("Events of {} could not be delivered", rule, e);
        batch.forEach(message -> undelivered(message.id(), e.getMessage()));
      }
    }

    private void undelivered(String at, @Nullable String why) {
      refuse(Integer.parseInt(at), "InternalFailure", "The event could not be delivered: " + why);
    }

    private void refuse(int at, String code, String message) {
      results.set(at, PutEventsResultEntry.builder().errorCode(code).errorMessage(message).build());
    }
  }

  private Target target(String rule) {
    return Objects.requireNonNull(rules.get(rule)).target();
  }

  /**
   * Returns the event's value at the target's path, such as {@code $.detail.partition}; null if the
   * target has no path.
   */
  private static @Nullable String group(Target target, JsonNode event) {
    String path = target.group();
    return path == null ? null : event.at(path.substring(1).replace('.', '/')).textValue();
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  /** Returns the entry's detail; null if it is not a JSON object. */
  private static @Nullable JsonNode detail(PutEventsRequestEntry entry) {
    if (entry.detail() == null) {
      return null;
    }
    try {
      JsonNode detail = Json.parse(entry.detail().getBytes(StandardCharsets.UTF_8));
      return detail.isObject() ? detail : null;
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      return null;
    }
  }

  private static ObjectNode event(String id, PutEventsRequestEntry entry, JsonNode detail) {
    ObjectNode event = Json.object().put("version", "0").put("id", id);
    event.put("detail-type", entry.detailType()).put("source", entry.source());
    event.put("account", Aws.ACCOUNT);
    event.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    event.put("region", Aws.REGION.id());
    event.putArray("resources");
    event.set("detail", detail);
    return event;
  }

  private static List<String> matching(Machine rules, String event) {
    try {
      return rules.rulesForJSONEvent(event);
    } catch (Exception e) { // declared by the method's signature; the event is well-formed
      throw new IllegalStateException("The rules could not be matched.", e);
    }
  }
}
