package io.actiongovernance.infra;

import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.s3.CfnBucket;

/**
 * The bucket of the archive: encrypted, closed to the public, and what is put into it stays. Nobody
 * deletes or overwrites a version of an object while its lock lasts, but who has the right to
 * bypass that, which no function has. It outlives its stack.
 */
final class ArchiveBucket {
  private ArchiveBucket() {}

  /**
   * @param days for how long nobody may delete what is put there
   */
  static void make(Stack stack, Names names, int days) {
    CfnBucket bucket =
        CfnBucket.Builder.create(stack, "Archive")
            .bucketName(names.archiveBucket())
            .versioningConfiguration(
                CfnBucket.VersioningConfigurationProperty.builder().status("Enabled").build())
            .objectLockEnabled(true)
            .objectLockConfiguration(lock(days))
            .bucketEncryption(ExportsBucket.encryption())
            .publicAccessBlockConfiguration(ExportsBucket.closed())
            .ownershipControls(ExportsBucket.owned())
            .build();
    bucket.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    Reasons.give(
        bucket,
        "AwsSolutions-S1",
        "A few functions and the owner of the account read it; CloudTrail says who, where it is on.");
    ExportsBucket.encryptedOnly(stack, "ArchivePolicy", bucket);
  }

  private static CfnBucket.ObjectLockConfigurationProperty lock(int days) {
    return CfnBucket.ObjectLockConfigurationProperty.builder()
        .objectLockEnabled("Enabled")
        .rule(
            CfnBucket.ObjectLockRuleProperty.builder()
                .defaultRetention(
                    CfnBucket.DefaultRetentionProperty.builder()
                        // Compliance could be taken back by nobody, whatever was put there.
                        .mode("GOVERNANCE")
                        .days(days)
                        .build())
                .build())
        .build();
  }
}
