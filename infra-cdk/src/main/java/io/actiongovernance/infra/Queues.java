package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.functions.trigger.Queue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.sqs.CfnQueue;
import software.amazon.awscdk.services.sqs.CfnQueuePolicy;

/** The queues of {@link Queue}, each with its dead-letter queue, and who may send to them. */
final class Queues {
  private static final Duration RETENTION = Duration.ofDays(4);

  /** The longest there is: dead letters wait for people. */
  private static final Duration DEAD_RETENTION = Duration.ofDays(14);

  private final Stack stack;
  private final Names names;
  private final Map<Queue, CfnQueue> live = new EnumMap<>(Queue.class);
  private final Map<Queue, CfnQueue> dead = new EnumMap<>(Queue.class);
  private final CfnQueuePolicy policy;

  Queues(Stack stack, Environment environment) {
    this.stack = stack;
    this.names = new Names(environment.prefix());
    for (Queue queue : Queue.values()) {
      CfnQueue letters =
          queue(queue, queue.deadLetterName(environment.prefix()), "Dead", DEAD_RETENTION, null);
      dead.put(queue, letters);
      Map<String, Object> redrive =
          ordered("deadLetterTargetArn", letters.getAttrArn(), "maxReceiveCount", queue.receives());
      live.put(queue, queue(queue, queue.wireName(environment.prefix()), "", RETENTION, redrive));
    }
    this.policy = sending();
  }

  String arn(Queue queue) {
    return Optional.ofNullable(live.get(queue)).orElseThrow().getAttrArn();
  }

  String deadLetterArn(Queue queue) {
    return Optional.ofNullable(dead.get(queue)).orElseThrow().getAttrArn();
  }

  /** What lets the bus send; a rule's target must be able to receive when the rule is made. */
  CfnQueuePolicy policy() {
    return policy;
  }

  private CfnQueuePolicy sending() {
    List<CfnQueue> all = Stream.concat(live.values().stream(), dead.values().stream()).toList();
    List<Map<String, Object>> statements = new ArrayList<>();
    statements.add(
        ordered(
            "Sid", "EncryptedTransportOnly",
            "Effect", "Deny",
            "Principal", Map.of("AWS", "*"),
            "Action", "sqs:*",
            "Resource", "*",
            "Condition", Map.of("Bool", Map.of("aws:SecureTransport", "false"))));
    for (FactRule rule : FactRule.values()) {
      statements.add(
          ordered(
              "Sid", Names.logical(rule.wireName("fact")),
              "Effect", "Allow",
              "Principal", Map.of("Service", "events.amazonaws.com"),
              "Action", "sqs:SendMessage",
              "Resource", List.of(names.queueArn(rule.queue()), names.deadLetterArn(rule.queue())),
              "Condition", Map.of("ArnEquals", Map.of("aws:SourceArn", names.ruleArn(rule)))));
    }
    return CfnQueuePolicy.Builder.create(stack, "QueuePolicy")
        .queues(all.stream().map(CfnQueue::getRef).toList())
        .policyDocument(Statements.document(statements))
        .build();
  }

  private CfnQueue queue(
      Queue queue,
      String name,
      String suffix,
      Duration retention,
      @Nullable Map<String, Object> redrive) {
    CfnQueue.Builder builder =
        CfnQueue.Builder.create(stack, Names.logical(queue.wireName("queue")) + suffix)
            .queueName(name)
            .visibilityTimeout(queue.visibility().toSeconds())
            .messageRetentionPeriod(retention.toSeconds())
            .sqsManagedSseEnabled(true);
    if (queue.fifo()) {
      // Groups are entities: as many at once as there are.
      builder
          .fifoQueue(true)
          .deduplicationScope("messageGroup")
          .fifoThroughputLimit("perMessageGroupId");
    }
    if (redrive != null) {
      builder.redrivePolicy(redrive);
    }
    return builder.build();
  }
}
