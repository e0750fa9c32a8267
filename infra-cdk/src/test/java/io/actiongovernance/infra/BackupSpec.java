package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.flat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies of the tables in another region or account, where an environment has them. */
final class BackupSpec {
  private static final Environment COPIED = Synthesised.placed();

  @Test
  void weeklyBackupsGoIntoALockedVaultAndFromThereElsewhere() {
    Synthesised prod = Synthesised.of(COPIED);
    Resource vault = prod.one("AWS::Backup::BackupVault", "/BackupVaultName", "governance-prod");
    assertThat(vault.property("/LockConfiguration/MinRetentionDays").asInt()).isEqualTo(35);
    assertThat(vault.property("/LockConfiguration/ChangeableForDays").isMissingNode()).isTrue();
    assertThat(vault.body().path("DeletionPolicy").asText()).isEqualTo("RetainExceptOnCreate");
    Resource plan = prod.all("AWS::Backup::BackupPlan").getFirst();
    assertThat(plan.text("/BackupPlan/BackupPlanRule/0/ScheduleExpression"))
        .isEqualTo("cron(0 3 ? * SUN *)");
    assertThat(plan.property("/BackupPlan/BackupPlanRule/0/Lifecycle/DeleteAfterDays").asInt())
        .isEqualTo(35);
    assertThat(plan.text("/BackupPlan/BackupPlanRule/0/TargetBackupVault/Ref"))
        .isEqualTo(vault.id());
    assertThat(plan.text("/BackupPlan/BackupPlanRule/0/CopyActions/0/DestinationBackupVaultArn"))
        .isEqualTo("arn:aws:backup:eu-central-1:111122223333:backup-vault:safe");
    Resource tables = prod.all("AWS::Backup::BackupSelection").getFirst();
    assertThat(Synthesised.list(tables.property("/BackupSelection/Resources")))
        .map(Synthesised::flat)
        .map(arn -> arn.replaceFirst(".*:table/", ""))
        .containsExactly(
            "governance-prod-state",
            "governance-prod-events",
            "governance-prod-receipts",
            "governance-prod-effects",
            "governance-prod-limits");
  }

  /** A copy of the tables is worth nothing without the key that opens what is sealed in them. */
  @ParameterizedTest
  @CsvSource({"111122223333,eu-central-1", "444455556666,"})
  void theMasterKeyIsReplicatedForCopiesInTheSameAccount(String account, String region) {
    String vault = "arn:aws:backup:eu-central-1:%s:backup-vault:safe".formatted(account);
    Resource secret =
        Synthesised.data(COPIED.copiedTo(new Backup(vault, 35)))
            .all("AWS::SecretsManager::Secret")
            .getFirst();
    assertThat(secret.property("/ReplicaRegions/0/Region").textValue()).isEqualTo(region);
  }

  @Test
  void dailyChangesAndMonthlyFullExportsAreLocked() throws Exception {
    Synthesised prod = Synthesised.of(COPIED);
    Resource bucket =
        prod.all("AWS::S3::Bucket").stream()
            .filter(one -> flat(one.property("/BucketName")).startsWith("governance-prod-tables-"))
            .findFirst()
            .orElseThrow();
    assertThat(bucket.property("/ObjectLockConfiguration/Rule/DefaultRetention").toString())
        .isEqualTo("{\"Days\":66,\"Mode\":\"GOVERNANCE\"}");
    assertThat(bucket.text("/VersioningConfiguration/Status")).isEqualTo("Enabled");
    assertThat(bucket.body().path("DeletionPolicy").asText()).isEqualTo("RetainExceptOnCreate");
    Resource machine =
        prod.one(
            "AWS::StepFunctions::StateMachine",
            "/StateMachineName",
            "governance-prod-table-exports");
    JsonNode states =
        Json.read(machine.text("/DefinitionString")).at("/States/Tables/ItemProcessor/States");
    assertThat(states.at("/Export everything/Arguments/ExportType").asText())
        .isEqualTo("FULL_EXPORT");
    assertThat(states.at("/Export changes/Arguments/ExportType").asText())
        .isEqualTo("INCREMENTAL_EXPORT");
    // DynamoDB answers a token that it knows with the export that it began then, failed or not.
    assertThat(states.at("/Export changes/Arguments/ClientToken").asText())
        .startsWith("{% $states.input.at & ");
    assertThat(flat(machine.property("/DefinitionSubstitutions/Tables")).split(","))
        .extracting(arn -> arn.replaceFirst("'.*:table/(.*)'", "$1"))
        .containsExactly(
            "governance-prod-state",
            "governance-prod-receipts",
            "governance-prod-effects",
            "governance-prod-limits");
    assertThat(prod.all("AWS::Scheduler::Schedule"))
        .filteredOn(one -> one.text("/Name").startsWith("governance-prod-table-exports"))
        .extracting(one -> one.text("/ScheduleExpression"), one -> one.text("/Target/Input"))
        .containsExactlyInAnyOrder(
            tuple(
                "cron(20 0 * * ? *)", "{\"full\":false,\"at\":\"<aws.scheduler.scheduled-time>\"}"),
            tuple(
                "cron(40 0 1 * ? *)", "{\"full\":true,\"at\":\"<aws.scheduler.scheduled-time>\"}"));
    Resource alarm =
        prod.one("AWS::CloudWatch::Alarm", "/AlarmName", "governance-prod-failed-table-exports");
    assertThat(flat(alarm.property("/Dimensions/0/Value")))
        .endsWith(":stateMachine:governance-prod-table-exports");
  }

  @Test
  void anEnvironmentWithoutABackupSettingHasNone() {
    assertThat(Synthesised.PROD.templates()).doesNotContainKey("backup");
    assertThat(Synthesised.PROD.all("AWS::Backup::BackupPlan")).isEmpty();
  }
}
