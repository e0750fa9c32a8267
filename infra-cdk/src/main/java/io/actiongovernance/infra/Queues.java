package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.FactRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.s3.CfnBucket;
import software.amazon.awscdk.services.sqs.CfnQueue;
import software.amazon.awscdk.services.sqs.CfnQueuePolicy;

/** The queues of {@link Queue}, each with its dead-letter queue, and the rights to send to them. */
final class Queues {
  private static final Duration RETENTION = Duration.ofDays(4);

  /** The longest retention that SQS supports. */
  static final Duration LONGEST_RETENTION = Duration.ofDays(14);

  /**
   * Queues whose messages a sweep cannot replace, or whose messages wait for people, as dead
   * letters do.
   */
  private static final Set<Queue> ONLY_COPIES =
      EnumSet.of(Queue.PROPOSALS, Queue.DELIVERIES, Queue.FAILED_CHANGES, Queue.FAILED_FACTS);

  private final Stack stack;
  private final Names names;

  private final Map<DeployedQueue, CfnQueuePolicy> policies = new HashMap<>();
  private final CfnBucket changes;

  Queues(Stack stack, Environment environment) {
    this.stack = stack;
    this.names = new Names(environment);
    Map<DeployedQueue, CfnQueue> live = new HashMap<>();
    for (DeployedQueue queue : Queue.all(environment.queues())) {
      CfnQueue letters =
          queue(queue, queue.deadLetterName(environment.prefix()), "Dead", LONGEST_RETENTION, null);
      policy(queue, "Dead", letters, List.of());
      Map<String, Object> redrive =
          ordered(
              "deadLetterTargetArn",
              letters.getAttrArn(),
              "maxReceiveCount",
              queue.kind().receives());
      Duration kept = ONLY_COPIES.contains(queue.kind()) ? LONGEST_RETENTION : RETENTION;
      CfnQueue made = queue(queue, queue.wireName(environment.prefix()), "", kept, redrive);
      live.put(queue, made);
      policies.put(queue, policy(queue, "", made, senders(queue.kind())));
    }
    DeployedQueue failed = Queue.FAILED_CHANGES.first();
    this.changes =
        ChangesBucket.make(
            stack,
            names,
            Optional.ofNullable(live.get(failed)).orElseThrow().getAttrArn(),
            policy(Queue.FAILED_CHANGES));
  }

  CfnBucket changes() {
    return changes;
  }

  String arn(DeployedQueue queue) {
    // A fixed name instead of an export, because a removed queue could otherwise not be deleted
    // before its users, which are deployed later.
    return names.queueArn(queue);
  }

  String arn(Queue queue) {
    return arn(queue.first());
  }

  String deadLetterArn(DeployedQueue queue) {
    return names.deadLetterArn(queue);
  }

  /**
   * Permits the bus to send to the queue. A rule's target must be able to receive when the rule is
   * created.
   */
  CfnQueuePolicy policy(Queue queue) {
    return Optional.ofNullable(policies.get(queue.first())).orElseThrow();
  }

  /**
   * The rules whose facts the queue receives, including facts that could not be delivered
   * elsewhere.
   */
  private static List<FactRule> senders(Queue queue) {
    return FactRule.ofBus().stream()
        .filter(rule -> queue == Queue.FAILED_FACTS || rule.queue() == queue)
        .toList();
  }

  /** A policy for only this queue, because SQS accepts no statement about two queues. */
  private CfnQueuePolicy policy(
      DeployedQueue queue, String suffix, CfnQueue guarded, List<FactRule> senders) {
    List<Map<String, Object>> statements = new ArrayList<>();
    statements.add(Statements.encryptedOnly("sqs:*", guarded.getAttrArn()));
    if (!senders.isEmpty()) {
      List<String> rules = senders.stream().map(names::ruleArn).toList();
      statements.add(
          ordered(
              "Sid",
              "Facts",
              "Effect",
              "Allow",
              "Principal",
              Map.of("Service", "events.amazonaws.com"),
              "Action",
              "sqs:SendMessage",
              "Resource",
              guarded.getAttrArn(),
              "Condition",
              Map.of("ArnEquals", Map.of("aws:SourceArn", rules))));
    }
    if (queue.kind() == Queue.FAILED_CHANGES && suffix.isEmpty()) {
      statements.add(ChangesBucket.noted(names, guarded.getAttrArn()));
    }
    return CfnQueuePolicy.Builder.create(
            stack, Names.logical(queue.wireName("queue")) + suffix + "Policy")
        .queues(List.of(guarded.getRef()))
        .policyDocument(Statements.document(statements))
        .build();
  }

  private CfnQueue queue(
      DeployedQueue queue,
      String name,
      String suffix,
      Duration retention,
      @Nullable Map<String, Object> redrive) {
    CfnQueue.Builder builder =
        CfnQueue.Builder.create(stack, Names.logical(queue.wireName("queue")) + suffix)
            .queueName(name)
            .visibilityTimeout(queue.kind().visibility().toSeconds())
            .messageRetentionPeriod(retention.toSeconds())
            .sqsManagedSseEnabled(true);
    if (queue.kind().fifo()) {
      // Groups are entities, so all of them may run at once.
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
