package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.infra.Synthesised.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies of the tables in another region or account, where an environment has them. */
final class BackupSpec {
  private static final Environment COPIED = Synthesised.placed();

  @Test
  void eachDayAllThatIsKeptLongerThanADayIsCopiedIntoALockedVaultAndFromThereElsewhere() {
    Synthesised prod = Synthesised.of(COPIED);
    Resource vault = prod.one("AWS::Backup::BackupVault", "/BackupVaultName", "governance-prod");
    assertThat(vault.property("/LockConfiguration/MinRetentionDays").asInt()).isEqualTo(35);
    assertThat(vault.property("/LockConfiguration/ChangeableForDays").isMissingNode()).isTrue();
    assertThat(vault.body().path("DeletionPolicy").asText()).isEqualTo("RetainExceptOnCreate");
    Resource plan = prod.all("AWS::Backup::BackupPlan").getFirst();
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
  void theKeyIsReplicatedWhereTheCopiesAreInTheSameAccount(String account, String region) {
    String vault = "arn:aws:backup:eu-central-1:%s:backup-vault:safe".formatted(account);
    Resource secret =
        Synthesised.data(COPIED.copiedTo(new Backup(vault, 35)))
            .all("AWS::SecretsManager::Secret")
            .getFirst();
    assertThat(secret.property("/ReplicaRegions/0/Region").textValue()).isEqualTo(region);
  }

  @Test
  void whereNoBackupIsSaidThereIsNone() {
    assertThat(Synthesised.PROD.templates()).doesNotContainKey("backup");
    assertThat(Synthesised.PROD.all("AWS::Backup::BackupPlan")).isEmpty();
  }
}
