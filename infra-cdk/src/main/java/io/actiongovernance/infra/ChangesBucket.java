package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.functions.trigger.FailedChanges;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.s3.CfnBucket;
import software.amazon.awscdk.services.sqs.CfnQueuePolicy;

/**
 * The bucket of {@link FailedChanges}: encrypted and not public. Its lifecycle deletes objects when
 * the queue's messages also expire. It is in the queue's stack, because at its creation it must be
 * able to notify the queue.
 */
final class ChangesBucket {
  private ChangesBucket() {}

  static Map<String, Object> noted(Names names, String queueArn) {
    return ordered(
        "Sid",
        "FailedChanges",
        "Effect",
        "Allow",
        "Principal",
        Map.of("Service", "s3.amazonaws.com"),
        "Action",
        "sqs:SendMessage",
        "Resource",
        queueArn,
        "Condition",
        Map.of(
            "ArnEquals",
            Map.of("aws:SourceArn", names.changesBucketArn()),
            "StringEquals",
            Map.of("aws:SourceAccount", Aws.ACCOUNT_ID)));
  }

  /**
   * @param queueArn the queue that is notified of each change
   * @param policy the policy that permits the bucket to send to the queue
   */
  static CfnBucket make(Stack stack, Names names, String queueArn, CfnQueuePolicy policy) {
    CfnBucket bucket =
        ExportsBucket.builder(stack, "Changes", names.changesBucket())
            .notificationConfiguration(
                CfnBucket.NotificationConfigurationProperty.builder()
                    .queueConfigurations(
                        Stream.of(FailedChanges.BY_LAMBDA, FailedChanges.GIVEN_UP)
                            .map(folder -> notified(folder, queueArn))
                            .toList())
                    .build())
            .lifecycleConfiguration(
                CfnBucket.LifecycleConfigurationProperty.builder()
                    .rules(
                        List.of(
                            ExportsBucket.expiring(
                                    "expire", (int) Queues.LONGEST_RETENTION.toDays())
                                .build()))
                    .build())
            .build();
    bucket.addResourceDependency(policy);
    bucket.applyRemovalPolicy(RemovalPolicy.DESTROY);
    Reasons.give(
        bucket,
        "AwsSolutions-S1",
        "It holds copies of items for two weeks; one function and the owner of the account read"
            + " it.");
    ExportsBucket.encryptedOnly(stack, "ChangesPolicy", bucket);
    return bucket;
  }

  private static CfnBucket.QueueConfigurationProperty notified(String folder, String queueArn) {
    return CfnBucket.QueueConfigurationProperty.builder()
        .event("s3:ObjectCreated:*")
        .queue(queueArn)
        .filter(
            CfnBucket.NotificationFilterProperty.builder()
                .s3Key(
                    CfnBucket.S3KeyFilterProperty.builder()
                        .rules(
                            List.of(
                                CfnBucket.FilterRuleProperty.builder()
                                    .name("prefix")
                                    .value(folder)
                                    .build()))
                        .build())
                .build())
        .build();
  }
}
