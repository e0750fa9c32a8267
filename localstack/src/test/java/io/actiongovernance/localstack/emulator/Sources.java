package io.actiongovernance.localstack.emulator;

import io.actiongovernance.functions.trigger.StateMachines;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.Bell;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.source.ChangeFilter;
import io.actiongovernance.localstack.source.Checkpoints;
import io.actiongovernance.localstack.source.FailedChanges;
import io.actiongovernance.localstack.source.QueuePoller;
import io.actiongovernance.localstack.source.ScheduleRunner;
import io.actiongovernance.localstack.source.StreamPoller;
import io.actiongovernance.localstack.states.MachineRunner;
import io.actiongovernance.localstack.states.StepFunctions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * What drives functions that are not HTTP: event source mappings, schedules, state machines. Those
 * of a stack begin once all of it is there. For one thread at a time.
 */
final class Sources implements AutoCloseable {
  private static final Pattern RATE = Pattern.compile("rate\\((\\d+) minutes?\\)");

  /** Tasks of a state machine that run at once; AWS has no such bound. */
  private static final int TASKS = 4;

  /** Invocations at once by a queue whose mapping bounds them not; AWS goes up to a thousand. */
  private static final int UNBOUNDED = 16;

  private static final String STATES = "states.amazonaws.com";
  private static final String LAMBDA = "lambda.amazonaws.com";

  private final DynamoDbStreamsClient streams;
  private final SqsClient sqs;
  private final S3Client objects;
  private final StepFunctions machines;
  private final Rights rights;
  private final Code code;
  private final Path work;
  private final Map<String, Supplier<EventSource>> made = new LinkedHashMap<>();
  private final Map<String, EventSource> running = new LinkedHashMap<>();
  private int mappings;

  Sources(
      DynamoDbStreamsClient streams,
      SqsClient sqs,
      S3Client objects,
      StepFunctions machines,
      Rights rights,
      Code code,
      Path work)
      throws IOException {
    this.streams = streams;
    this.sqs = sqs;
    this.objects = objects;
    this.machines = machines;
    this.rights = rights;
    this.code = code;
    this.work = Files.createDirectories(work.resolve("sources"));
  }

  /**
   * @param messages knows the queues
   */
  void addTo(Kinds kinds, Messages messages) {
    kinds
        .add(
            "AWS::Lambda::EventSourceMapping",
            Set.of(
                "EventSourceArn",
                "FunctionName",
                "BatchSize",
                "FunctionResponseTypes",
                "FilterCriteria",
                "ScalingConfig",
                "StartingPosition",
                "MaximumRetryAttempts",
                "DestinationConfig",
                "BisectBatchOnFunctionError"),
            Set.of("Tags"),
            (id, mapping) -> mapping(id + "-" + ++mappings, mapping, messages))
        .changed(
            Set.of("BatchSize", "FilterCriteria", "ScalingConfig", "MaximumRetryAttempts"),
            (made, _, mapping) -> {
              end(made.ref());
              return mapping(made.ref(), mapping, messages);
            })
        .replaced(Set.of("EventSourceArn", "StartingPosition"))
        .deleted((made, _) -> end(made.ref()));
    kinds.add(
        "AWS::StepFunctions::StateMachine",
        Set.of(
            "StateMachineName",
            "StateMachineType",
            "DefinitionString",
            "DefinitionSubstitutions",
            "RoleArn"),
        Set.of("TracingConfiguration", "Tags"),
        (_, machine) -> machine(machine));
  }

  /** Begins with what was made since the last time. */
  void begin() {
    made.forEach((id, one) -> running.put(id, one.get()));
    made.clear();
  }

  /** Takes no more events from the source, and waits for those that are being handled. */
  private void end(String id) throws InterruptedException {
    made.remove(id);
    EventSource source = running.remove(id);
    if (source != null) {
      source.stop();
      source.join();
    }
  }

  private Made mapping(String id, Properties mapping, Messages messages) {
    String source = mapping.text("EventSourceArn");
    String function = mapping.text("FunctionName");
    // An answer of what failed would otherwise be taken for all being well.
    if (!mapping.texts("FunctionResponseTypes").equals(List.of("ReportBatchItemFailures"))) {
      throw new Refused("Functions report here which items of a batch have failed.");
    }
    Messages.Queue queue = messages.queue(source).orElse(null);
    if (queue != null) {
      rights.require(
          code.role(function),
          LAMBDA,
          List.of("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"),
          source);
      int concurrency =
          mapping.has("ScalingConfig")
              ? mapping.part("ScalingConfig").number("MaximumConcurrency")
              : UNBOUNDED;
      made.put(
          id,
          () ->
              new QueuePoller(
                  sqs,
                  new QueuePoller.Polled(queue.url(), queue.fifo(), queue.visibility(), new Bell()),
                  code.of(function),
                  mapping.number("BatchSize"),
                  concurrency));
    } else {
      rights.require(
          code.role(function),
          LAMBDA,
          List.of("dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"),
          source);
      follow(id, mapping, failures(mapping, function));
    }
    return Made.named(id);
  }

  private FailedChanges failures(Properties mapping, String function) {
    String bucketArn = mapping.part("DestinationConfig").part("OnFailure").text("Destination");
    rights.require(
        code.role(function),
        LAMBDA,
        List.of("s3:PutObject"),
        bucketArn + "/" + io.actiongovernance.functions.trigger.FailedChanges.BY_LAMBDA + "1");
    rights.require(code.role(function), LAMBDA, List.of("s3:ListBucket"), bucketArn);
    int retries = mapping.number("MaximumRetryAttempts");
    return new FailedChanges(
        () -> objects,
        bucketArn.substring(bucketArn.lastIndexOf(':') + 1),
        retries < 0 ? Integer.MAX_VALUE : retries + 1);
  }

  private void follow(String id, Properties mapping, FailedChanges failures) {
    mapping.only("StartingPosition", "TRIM_HORIZON");
    mapping.only("BisectBatchOnFunctionError", "true");
    List<String> patterns =
        mapping.part("FilterCriteria").each("Filters").stream()
            .map(filter -> filter.text("Pattern"))
            .toList();
    made.put(
        id,
        () ->
            new StreamPoller(
                streams,
                new StreamPoller.Polled(
                    mapping.text("EventSourceArn"),
                    new ChangeFilter(patterns),
                    mapping.number("BatchSize"),
                    true,
                    new Bell()),
                code.of(mapping.text("FunctionName")),
                new Checkpoints(work.resolve(id + ".json")),
                () -> true,
                failures));
  }

  /** Has a function invoked again and again by the service, for its source. */
  void schedule(String expression, String functionArn, String service, String sourceArn) {
    Matcher rate = RATE.matcher(expression);
    if (!rate.matches()) {
      throw new Refused("The schedule %s is not known here.".formatted(expression));
    }
    Duration every = Duration.ofMinutes(Long.parseLong(rate.group(1)));
    Lambda function = code.of(functionArn, service, sourceArn);
    made.put(
        sourceArn + functionArn, () -> new ScheduleRunner(function, every, InstantSource.system()));
  }

  private Made machine(Properties machine) {
    machine.only("StateMachineType", "STANDARD");
    Properties substitutions = machine.part("DefinitionSubstitutions");
    substitutions.knows(Set.of("Function"), Set.of());
    String functionArn = substitutions.text("Function");
    rights.require(machine.text("RoleArn"), STATES, List.of("lambda:InvokeFunction"), functionArn);
    if (!machine.text("DefinitionString").equals(StateMachines.definition())) {
      throw new Refused("Of state machines only those of timers run here.");
    }
    String name = machine.text("StateMachineName");
    try {
      MachineRunner runner =
          new MachineRunner(
              code.of(functionArn), TASKS, work.resolve(name), InstantSource.system());
      machines.add(name, runner);
      running.put(name, runner);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String arn = Aws.arn("states", "stateMachine:" + name);
    return new Made(arn, Map.of("Arn", arn, "Name", name));
  }

  @Override
  public void close() {
    running.values().forEach(EventSource::stop);
    try {
      for (EventSource source : running.values()) {
        source.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
