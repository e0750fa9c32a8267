package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.allow;

import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.trigger.FailedChanges;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Invocation;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Source.Timed;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.time.TimerKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.events.CfnRule;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping;

/** The sources that start functions without requests, and the rights to read from them. */
final class EventSources {
  /**
   * Tries of a change before its whole record goes to the bucket of {@link FailedChanges}. They are
   * enough to outlast a bus outage of hours, because the pauses grow to a minute.
   */
  private static final int CHANGE_ATTEMPTS = 500;

  /** Retries a change until the stream drops it, a day after it was made. */
  private static final int FOR_AS_LONG_AS_THERE = -1;

  /**
   * The most batches of one shard that are relayed at once. The changes of one item still keep
   * their order, and no other order is required. The emulator does not support this setting.
   */
  private static final int AT_ONCE_PER_SHARD = 10;

  private static final String PARTIAL = "ReportBatchItemFailures";

  private final Stack stack;
  private final Environment environment;
  private final DataStack data;
  private final Queues queues;
  private final Names names;

  EventSources(Stack stack, Environment environment, DataStack data, Queues queues) {
    this.stack = stack;
    this.environment = environment;
    this.data = data;
    this.queues = queues;
    this.names = new Names(environment);
  }

  /** The statements that let the function's role read from the source. */
  List<Map<String, Object>> receiving(Binding binding) {
    return switch (binding.source()) {
      case Messages _, DeadLetters _ ->
          List.of(receive(polled(binding).stream().map(queue -> arn(binding, queue)).toList()));
      case Changes(var table, _, _) ->
          List.of(
              allow(
                  "ReadStream",
                  List.of(
                      "dynamodb:DescribeStream",
                      "dynamodb:GetRecords",
                      "dynamodb:GetShardIterator"),
                  List.of(data.streamArn(table))),
              allow(Inexact.LIST_STREAMS.sid(), List.of("dynamodb:ListStreams"), List.of("*")),
              allow(
                  Inexact.PUT_FAILED_CHANGES.sid(),
                  List.of("s3:PutObject"),
                  List.of(names.changesBucketArn() + "/" + FailedChanges.BY_LAMBDA + "*")),
              // Lambda requires this permission for a bucket that is named as a destination.
              allow(
                  "ListFailedChanges",
                  List.of("s3:ListBucket"),
                  List.of(names.changesBucketArn())));
      case Every _, Timed _, Invocation _ -> List.of();
    };
  }

  private static Map<String, Object> receive(List<String> queueArns) {
    return allow(
        "Receive",
        List.of(
            "sqs:ReceiveMessage",
            "sqs:DeleteMessage",
            "sqs:GetQueueAttributes",
            "sqs:ChangeMessageVisibility"),
        queueArns);
  }

  void start(Binding binding, String functionArn) {
    switch (binding.source()) {
      case Messages _, DeadLetters _ ->
          polled(binding).forEach(queue -> poll(binding, functionArn, queue));
      case Changes changes -> follow(binding, functionArn, changes);
      case Every(Duration rate) -> schedule(binding, functionArn, rate);
      case Timed(TimerKind kind) -> TimerMachines.make(stack, environment, kind, functionArn);
      case Invocation _ -> {}
    }
  }

  private List<DeployedQueue> polled(Binding binding) {
    return binding.queues(environment.queues());
  }

  private String arn(Binding binding, DeployedQueue queue) {
    return binding.source() instanceof DeadLetters
        ? queues.deadLetterArn(queue)
        : queues.arn(queue);
  }

  private void poll(Binding binding, String functionArn, DeployedQueue queue) {
    String id = queue.number() == 1 ? source(binding) : source(binding) + queue.number();
    CfnEventSourceMapping.Builder mapping =
        CfnEventSourceMapping.Builder.create(stack, id)
            .functionName(functionArn)
            .eventSourceArn(arn(binding, queue))
            .batchSize(binding.batch())
            .functionResponseTypes(List.of(PARTIAL));
    environment
        .ofEachSource(binding)
        .ifPresent(
            most ->
                mapping.scalingConfig(
                    CfnEventSourceMapping.ScalingConfigProperty.builder()
                        .maximumConcurrency(most)
                        .build()));
    mapping.build();
  }

  private void follow(Binding binding, String functionArn, Changes changes) {
    CfnEventSourceMapping mapping =
        CfnEventSourceMapping.Builder.create(stack, source(binding))
            .functionName(functionArn)
            .eventSourceArn(data.streamArn(changes.table()))
            .startingPosition("TRIM_HORIZON")
            .filterCriteria(matching(changes.patterns()))
            .batchSize(binding.batch())
            .parallelizationFactor(
                environment.emulator() == null && !changes.patient() ? AT_ONCE_PER_SHARD : null)
            .bisectBatchOnFunctionError(true)
            .maximumRetryAttempts(changes.patient() ? FOR_AS_LONG_AS_THERE : CHANGE_ATTEMPTS)
            .functionResponseTypes(List.of(PARTIAL))
            .destinationConfig(
                CfnEventSourceMapping.DestinationConfigProperty.builder()
                    .onFailure(
                        CfnEventSourceMapping.OnFailureProperty.builder()
                            .destination(names.changesBucketArn())
                            .build())
                    .build())
            .build();
    // The mapping only names the bucket, but the bucket must exist.
    mapping.addResourceDependency(queues.changes());
  }

  private static CfnEventSourceMapping.FilterCriteriaProperty matching(List<String> patterns) {
    return CfnEventSourceMapping.FilterCriteriaProperty.builder()
        .filters(
            patterns.stream()
                .map(
                    pattern ->
                        CfnEventSourceMapping.FilterProperty.builder().pattern(pattern).build())
                .toList())
        .build();
  }

  private void schedule(Binding binding, String functionArn, Duration rate) {
    long minutes = rate.toMinutes();
    CfnRule rule =
        CfnRule.Builder.create(stack, source(binding))
            .scheduleExpression("rate(%s minute%s)".formatted(minutes, minutes == 1 ? "" : "s"))
            .targets(
                List.of(CfnRule.TargetProperty.builder().id("function").arn(functionArn).build()))
            .build();
    ServiceStack.permit(
        stack,
        source(binding) + "Permission",
        functionArn,
        "events.amazonaws.com",
        rule.getAttrArn());
  }

  private static String source(Binding binding) {
    return Names.logical(binding.function()) + "Source";
  }
}
