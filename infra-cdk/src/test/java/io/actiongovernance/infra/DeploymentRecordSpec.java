package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a deployment has made is not taken away by an oversight. */
final class DeploymentRecordSpec {
  private static final DeploymentRecord LOCK =
      new DeploymentRecord(
          "api.example.com",
          Set.of("p-state", "p-receipts"),
          Set.of("p/key"),
          new Place("111122223333", "eu-west-1"));

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void aDeploymentMayAddTablesAndKeys() {
    LOCK.require(LOCK, "prod");
    LOCK.require(
        new DeploymentRecord(
            "api.example.com",
            Set.of("p-state", "p-receipts", "p-more"),
            Set.of("p/key", "p/other"),
            LOCK.place()),
        "prod");
    new DeploymentRecord(null, Set.of("p-state"), Set.of("p/key"), LOCK.place())
        .require(LOCK, "prod");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "other.example.com"})
  void aDeploymentCannotRemoveTheDomain(String domain) {
    DeploymentRecord next =
        new DeploymentRecord(
            domain.isEmpty() ? null : domain, LOCK.tables(), LOCK.keys(), LOCK.place());
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessage(
            "This would remove the domain api.example.com of prod. If you want that, delete its"
                + " name from prod.lock.json.");
  }

  @Test
  void aDeploymentCannotRemoveATable() {
    DeploymentRecord next =
        new DeploymentRecord(LOCK.domain(), Set.of("p-state"), LOCK.keys(), LOCK.place());
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessageStartingWith("This would remove the table p-receipts of prod.");
  }

  @Test
  void aDeploymentCannotRemoveAKey() {
    DeploymentRecord next =
        new DeploymentRecord(LOCK.domain(), LOCK.tables(), Set.of("q/key"), LOCK.place());
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessageStartingWith("This would remove the key p/key of prod.");
  }

  @Test
  void aDeploymentStaysInItsAccountAndRegion() {
    DeploymentRecord next =
        new DeploymentRecord(
            LOCK.domain(), LOCK.tables(), LOCK.keys(), new Place("111122223333", "eu-central-1"));
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessage(
            "prod is in the account 111122223333, region eu-west-1, but this would create another"
                + " one elsewhere. Write that account and region into its file.");
  }

  private static DeploymentRecord lock(
      Set<String> tables, Set<String> retired, Set<String> restored) {
    return new DeploymentRecord(null, tables, retired, restored, LOCK.keys(), LOCK.place());
  }

  private static final DeploymentRecord FIRST =
      lock(Set.of("p-state", "p-limits"), Set.of(), Set.of());
  private static final DeploymentRecord SECOND =
      lock(Set.of("p-state-2", "p-limits"), Set.of("p-state"), Set.of());

  @Test
  void aRestoredTableReplacesTheOneInUse() {
    DeploymentRecord restored = FIRST.withRestored("p-state-2");
    Generations.require(restored, SECOND, "prod");
    restored.require(SECOND, "prod");
    Generations.require(SECOND, SECOND, "prod");
    SECOND.require(SECOND, "prod");
    assertThat(SECOND.after(restored)).isEqualTo(SECOND);
    assertThat(FIRST.after(restored)).as("deployed before it is used").isEqualTo(restored);
  }

  @Test
  void aGenerationThatWasNotRestoredIsRefused() {
    assertThatThrownBy(() -> Generations.require(FIRST, SECOND, "prod"))
        .hasMessage(
            "prod has no table p-state-2 yet, so this would create an empty one. Restore it first"
                + " with infra-cdk/restore.");
  }

  @Test
  void aGenerationCannotBeSkipped() {
    DeploymentRecord third =
        lock(Set.of("p-state-3", "p-limits"), Set.of("p-state", "p-state-2"), Set.of());
    assertThatThrownBy(() -> Generations.require(FIRST.withRestored("p-state-3"), third, "prod"))
        .hasMessage(
            "prod has never used the table p-state-2, which this would retire. Go from one"
                + " generation to the next.");
    Generations.require(SECOND.withRestored("p-state-3"), third, "prod");
  }

  @Test
  void aFirstDeploymentUsesTheFirstGenerationOfEveryTable() {
    Generations.require(null, FIRST, "prod");
    assertThatThrownBy(() -> Generations.require(null, SECOND, "prod"))
        .hasMessageStartingWith("prod has never used the table p-state, which this would retire");
  }

  @Test
  void aRetiredGenerationIsRefused() {
    assertThatThrownBy(() -> Generations.require(SECOND, FIRST, "prod"))
        .hasMessage(
            "prod has retired the table p-state, and a retired generation cannot be used again."
                + " Restore the next one.");
  }

  @Test
  void theLockListsRetiredAndRestoredTablesOnlyIfAny() throws IOException {
    DeploymentRecord lock = SECOND.withRestored("p-limits-2");
    lock.write(DeploymentRecord.file(folder, "prod"));
    assertThat(DeploymentRecord.read(folder, "prod")).isEqualTo(lock);
    FIRST.write(DeploymentRecord.file(folder, "prod"));
    assertThat(Files.readString(DeploymentRecord.file(folder, "prod")))
        .doesNotContain("retired", "restored");
  }

  @Test
  void theSynthesisedRecordBecomesTheLock() throws IOException {
    DeploymentRecord lock = Synthesised.of(Synthesised.placed()).lock();
    assertThat(lock.domain()).isEqualTo("api.example.com");
    assertThat(lock.tables()).contains("governance-prod-state", "governance-prod-receipts");
    assertThat(lock.keys())
        .containsExactlyInAnyOrder("governance-prod/master-key", "alias/governance-prod-data-keys");
    assertThat(lock.place()).isEqualTo(new Place("111122223333", "eu-west-1"));
    lock.write(DeploymentRecord.file(folder, "prod"));
    assertThat(DeploymentRecord.read(folder, "prod")).isEqualTo(lock);
  }

  @Test
  void anEmptyLockIsRefused() throws IOException {
    assertThat(DeploymentRecord.read(folder, "prod")).isNull();
    ObjectNode empty = Json.object();
    empty.putArray("tables");
    Files.writeString(folder.resolve("prod.lock.json"), Json.write(empty));
    assertThatThrownBy(() -> DeploymentRecord.read(folder, "prod"))
        .hasMessageContaining("does not list the tables and keys");
  }

  @Test
  void aFirstDeploymentCanBeTakenBack() {
    Synthesised first = Synthesised.firstData(Environment.named("prod"));
    assertThat(first.all("AWS::DynamoDB::Table"))
        .isNotEmpty()
        .allSatisfy(
            table -> {
              assertThat(table.property("/DeletionProtectionEnabled").asBoolean()).isFalse();
              // Taken back if it was just made, and kept ever after.
              assertThat(table.body().path("DeletionPolicy").asText())
                  .isEqualTo("RetainExceptOnCreate");
            });
    JsonNode restorable =
        first
            .one("AWS::DynamoDB::Table", "/TableName", "governance-prod-state")
            .property("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled");
    assertThat(restorable.asBoolean()).isTrue();
  }
}
