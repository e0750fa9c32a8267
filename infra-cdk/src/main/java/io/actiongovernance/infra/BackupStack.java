package io.actiongovernance.infra;

import java.util.List;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.backup.CfnBackupPlan;
import software.amazon.awscdk.services.backup.CfnBackupSelection;
import software.amazon.awscdk.services.backup.CfnBackupVault;
import software.amazon.awscdk.services.iam.CfnRole;
import software.constructs.Construct;

/**
 * The copies of an environment that has a {@link Backup}. Each week, one copy goes into the
 * environment's own locked vault, and from there into the vault that the environment names.
 */
final class BackupStack extends Stack {
  /** The policy that AWS Backup's documentation requires of every role that copies tables. */
  private static final String POLICY = "AWSBackupServiceRolePolicyForBackup";

  private static final String WEEKLY = "cron(0 3 ? * SUN *)";

  BackupStack(Construct scope, Environment environment, Backup backup, DataStack data) {
    super(
        scope,
        environment.prefix() + "-backup",
        environment.stack().description("Action Governance Service: copies of the tables").build());
    addStackDependency(data);
    Names names = new Names(environment);
    CfnBackupVault vault =
        CfnBackupVault.Builder.create(this, "Vault")
            .backupVaultName(environment.prefix())
            // No grace period, so those who may change locks can still change this one.
            .lockConfiguration(
                CfnBackupVault.LockConfigurationTypeProperty.builder()
                    .minRetentionDays(backup.keepDays())
                    .build())
            .build();
    vault.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    CfnBackupPlan plan =
        CfnBackupPlan.Builder.create(this, "Plan")
            .backupPlan(
                CfnBackupPlan.BackupPlanResourceTypeProperty.builder()
                    .backupPlanName(environment.prefix())
                    .backupPlanRule(List.of(rule(vault, backup)))
                    .build())
            .build();
    CfnBackupSelection.Builder.create(this, "Tables")
        .backupPlanId(plan.getRef())
        .backupSelection(
            CfnBackupSelection.BackupSelectionResourceTypeProperty.builder()
                .selectionName("tables")
                .iamRoleArn(role(names).getAttrArn())
                .resources(Backup.tables().stream().map(names::tableArn).toList())
                .build())
        .build();
    if (TableExports.has(environment)) {
      TableExports.make(this, environment, backup);
    }
  }

  private static CfnBackupPlan.BackupRuleResourceTypeProperty rule(
      CfnBackupVault vault, Backup backup) {
    CfnBackupPlan.LifecycleResourceTypeProperty kept =
        CfnBackupPlan.LifecycleResourceTypeProperty.builder()
            .deleteAfterDays(backup.keepDays())
            .build();
    return CfnBackupPlan.BackupRuleResourceTypeProperty.builder()
        .ruleName("weekly")
        .targetBackupVault(vault.getRef())
        .scheduleExpression(WEEKLY)
        .lifecycle(kept)
        .copyActions(
            List.of(
                CfnBackupPlan.CopyActionResourceTypeProperty.builder()
                    .destinationBackupVaultArn(backup.vault())
                    .lifecycle(kept)
                    .build()))
        .build();
  }

  private CfnRole role(Names names) {
    CfnRole role =
        CfnRole.Builder.create(this, "Role")
            .roleName(names.role("backup"))
            .assumeRolePolicyDocument(Statements.assumedBy("backup.amazonaws.com"))
            .managedPolicyArns(
                List.of("arn:%s:iam::aws:policy/service-role/%s".formatted(Aws.PARTITION, POLICY)))
            .build();
    Reasons.give(
        role,
        "AwsSolutions-IAM4",
        "AWS Backup asks for this policy of every role, and AWS keeps it up with what it does.");
    return role;
  }
}
