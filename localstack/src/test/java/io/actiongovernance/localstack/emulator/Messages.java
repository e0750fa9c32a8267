package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.EventBus;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Queues, buses, and the rules between them. Thread-safe. */
final class Messages {
  private static final String EVENTS = "events.amazonaws.com";
  private static final Set<String> ATTRIBUTES = Set.of("FifoQueue", "VisibilityTimeout");

  private final JsonClient services;
  private final EventBus buses;
  private final Rights rights;
  private final Sources sources;
  private final Map<String, Queue> queues = new ConcurrentHashMap<>();

  Messages(JsonClient services, EventBus buses, Rights rights, Sources sources) {
    this.services = services;
    this.buses = buses;
    this.rights = rights;
    this.sources = sources;
  }

  /** A queue as event sources know it. */
  record Queue(String url, boolean fifo, Duration visibility) {}

  void addTo(Kinds kinds) {
    kinds
        .add(
            "AWS::SQS::Queue",
            Set.of("QueueName", "FifoQueue", "VisibilityTimeout", "RedrivePolicy"),
            Set.of(
                "DeduplicationScope",
                "FifoThroughputLimit",
                "MessageRetentionPeriod",
                "SqsManagedSseEnabled",
                "Tags"),
            (_, queue) -> queue(queue))
        .changed(Set.of("VisibilityTimeout"), (made, _, queue) -> change(made, queue))
        .replaced("QueueName", Set.of("FifoQueue"))
        .deleted((made, _) -> delete(made));
    kinds.add(
        "AWS::Events::EventBus",
        Set.of("Name"),
        Set.of("Tags"),
        (_, bus) ->
            Made.withArn(bus.text("Name"), Aws.arn("events", "event-bus/" + bus.text("Name"))));
    kinds
        .add(
            "AWS::Events::Rule",
            Set.of("Name", "EventBusName", "EventPattern", "ScheduleExpression", "Targets"),
            Set.of("Tags"),
            this::rule)
        .changed(Set.of("EventPattern"), (made, _, rule) -> matchOthers(made, rule))
        .replaced("Name", Set.of("EventBusName"));
  }

  private Made queue(Properties queue) throws Exception {
    String name = queue.text("QueueName");
    ObjectNode request = Json.object().put("QueueName", name);
    ObjectNode attributes = request.putObject("Attributes");
    ATTRIBUTES.stream().filter(queue::has).forEach(at -> attributes.put(at, queue.text(at)));
    if (queue.has("RedrivePolicy")) {
      attributes.put("RedrivePolicy", Json.write(queue.part("RedrivePolicy").json()));
    }
    String url = services.call("AmazonSQS.CreateQueue", request).path("QueueUrl").asText();
    Made made = new Made(url, Map.of("Arn", Aws.arn("sqs", name), "QueueName", name));
    remember(made, queue);
    return made;
  }

  private void remember(Made made, Properties queue) {
    Duration visibility = Duration.ofSeconds(queue.number("VisibilityTimeout"));
    queues.put(made.attribute("Arn"), new Queue(made.ref(), queue.truth("FifoQueue"), visibility));
  }

  private Made change(Made made, Properties queue) throws Exception {
    ObjectNode request = Json.object().put("QueueUrl", made.ref());
    request.putObject("Attributes").put("VisibilityTimeout", queue.text("VisibilityTimeout"));
    services.call("AmazonSQS.SetQueueAttributes", request);
    remember(made, queue);
    return made;
  }

  private void delete(Made made) throws Exception {
    services.call("AmazonSQS.DeleteQueue", Json.object().put("QueueUrl", made.ref()));
    queues.remove(made.attribute("Arn"));
  }

  /** The queue of the ARN, if it is one. */
  Optional<Queue> queue(String arn) {
    return Optional.ofNullable(queues.get(arn));
  }

  private Made rule(String id, Properties rule) {
    String name = rule.has("Name") ? rule.text("Name") : id;
    return rule.has("ScheduleExpression") ? schedule(name, rule) : match(name, rule);
  }

  private Made schedule(String name, Properties rule) {
    String arn = Aws.arn("events", "rule/" + name);
    for (Properties target : rule.each("Targets")) {
      target.knows(Set.of("Arn"), Set.of("Id"));
      sources.schedule(rule.text("ScheduleExpression"), target.text("Arn"), EVENTS, arn);
    }
    return Made.withArn(name, arn);
  }

  private Made match(String name, Properties rule) {
    String bus = rule.text("EventBusName");
    String arn = Aws.arn("events", "rule/" + bus + "/" + name);
    for (Properties target : rule.each("Targets")) {
      target.knows(Set.of("Arn", "InputPath", "SqsParameters"), Set.of("Id", "DeadLetterConfig"));
      String queueArn = target.text("Arn");
      Queue queue =
          queue(queueArn).orElseThrow(() -> new Refused("%s is no queue.".formatted(queueArn)));
      if (!target.text("InputPath").equals("$.detail")) {
        throw new Refused("A queue gets the detail of an event here, and nothing else.");
      }
      rights.requireOfResource(Act.onBehalf(EVENTS, "sqs:SendMessage", queueArn, arn));
      String group =
          target.has("SqsParameters") ? target.part("SqsParameters").text("MessageGroupId") : null;
      buses.add(bus, name, pattern(rule), new EventBus.Target(queue.url(), group));
    }
    return Made.withArn(name, arn);
  }

  private Made matchOthers(Made made, Properties rule) {
    buses.change(rule.text("EventBusName"), made.ref(), pattern(rule));
    return made;
  }

  private static String pattern(Properties rule) {
    return Json.write(rule.part("EventPattern").json());
  }
}
