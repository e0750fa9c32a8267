package io.actiongovernance.infra;

import io.actiongovernance.export.ExportJob;
import io.actiongovernance.result.Results;
import java.time.Duration;
import java.util.List;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.s3.CfnBucket;
import software.amazon.awscdk.services.s3.CfnBucketPolicy;

/**
 * The bucket of export files: encrypted, not public, and emptied by its lifecycle. Its content can
 * be made from the ledger again, so it does not outlive its stack. It also contains, sealed, the
 * results that are too large for an item, for as long as results are kept.
 */
final class ExportsBucket {
  private static final int SECONDS_OF_A_DAY = 86_400;

  private ExportsBucket() {}

  /**
   * @param resultLife the time for which results are kept
   */
  static void make(Stack stack, Names names, Duration resultLife) {
    CfnBucket bucket =
        builder(stack, "Exports", names.exportsBucket())
            .lifecycleConfiguration(
                CfnBucket.LifecycleConfigurationProperty.builder()
                    .rules(
                        List.of(
                            expiring("expire", (int) ExportJob.FILE_LIVES.toDays())
                                .abortIncompleteMultipartUpload(
                                    CfnBucket.AbortIncompleteMultipartUploadProperty.builder()
                                        .daysAfterInitiation(1)
                                        .build())
                                .build(),
                            expiring(
                                    "expire-results",
                                    // Round up to whole days, so that results stay for as long as
                                    // they may be read.
                                    Math.ceilDiv((int) resultLife.toSeconds(), SECONDS_OF_A_DAY))
                                .prefix(Results.FOLDER)
                                .build()))
                    .build())
            .build();
    bucket.applyRemovalPolicy(RemovalPolicy.DESTROY);
    Reasons.give(
        bucket,
        "AwsSolutions-S1",
        "It holds copies of receipts for a week; who asked for a link to one is in the logs of the"
            + " API.");
    encryptedOnly(stack, "ExportsPolicy", bucket);
  }

  /** A bucket that is encrypted, not public, and owned only by its account. */
  static CfnBucket.Builder builder(Stack stack, String id, String name) {
    return CfnBucket.Builder.create(stack, id)
        .bucketName(name)
        .bucketEncryption(encryption())
        .publicAccessBlockConfiguration(closed())
        .ownershipControls(owned());
  }

  /** A lifecycle rule that deletes files after this many days. */
  static CfnBucket.RuleProperty.Builder expiring(String id, int days) {
    return CfnBucket.RuleProperty.builder().id(id).status("Enabled").expirationInDays(days);
  }

  /** Denies access to a bucket without TLS. */
  static void encryptedOnly(Stack stack, String policy, CfnBucket bucket) {
    CfnBucketPolicy.Builder.create(stack, policy)
        .bucket(bucket.getRef())
        .policyDocument(
            Statements.document(
                List.of(
                    Statements.encryptedOnly(
                        "s3:*", List.of(bucket.getAttrArn(), bucket.getAttrArn() + "/*")))))
        .build();
  }

  private static CfnBucket.BucketEncryptionProperty encryption() {
    return CfnBucket.BucketEncryptionProperty.builder()
        .serverSideEncryptionConfiguration(
            List.of(
                CfnBucket.ServerSideEncryptionRuleProperty.builder()
                    .serverSideEncryptionByDefault(
                        CfnBucket.ServerSideEncryptionByDefaultProperty.builder()
                            .sseAlgorithm("AES256")
                            .build())
                    .build()))
        .build();
  }

  private static CfnBucket.PublicAccessBlockConfigurationProperty closed() {
    return CfnBucket.PublicAccessBlockConfigurationProperty.builder()
        .blockPublicAcls(true)
        .blockPublicPolicy(true)
        .ignorePublicAcls(true)
        .restrictPublicBuckets(true)
        .build();
  }

  private static CfnBucket.OwnershipControlsProperty owned() {
    return CfnBucket.OwnershipControlsProperty.builder()
        .rules(
            List.of(
                CfnBucket.OwnershipControlsRuleProperty.builder()
                    .objectOwnership("BucketOwnerEnforced")
                    .build()))
        .build();
  }
}
