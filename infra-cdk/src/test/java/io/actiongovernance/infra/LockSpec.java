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
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;

/** What a deployment has made is not taken away by an oversight. */
final class LockSpec {
  private static final Lock LOCK =
      new Lock(
          "api.example.com",
          Set.of("p-state", "p-receipts"),
          Set.of("p/key"),
          Layout.BY_GROUP,
          new Place("111122223333", "eu-west-1"));

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void whatWasDeployedMayBeDeployedAgainWithMore() {
    LOCK.require(LOCK, "prod");
    LOCK.require(
        new Lock(
            "api.example.com",
            Set.of("p-state", "p-receipts", "p-more"),
            Set.of("p/key", "p/other"),
            Layout.BY_GROUP,
            LOCK.place()),
        "prod");
    new Lock(null, Set.of("p-state"), Set.of("p/key"), Layout.BY_GROUP, null).require(LOCK, "prod");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "other.example.com"})
  void aDomainIsNotTakenAway(String domain) {
    Lock next =
        new Lock(
            domain.isEmpty() ? null : domain,
            LOCK.tables(),
            LOCK.keys(),
            LOCK.layout(),
            LOCK.place());
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessage(
            "This would take the domain api.example.com away, which prod has: if it is to go, take"
                + " it out of prod.lock.json.");
  }

  @Test
  void aTableIsNotTakenAway() {
    Lock next =
        new Lock(LOCK.domain(), Set.of("p-state"), LOCK.keys(), LOCK.layout(), LOCK.place());
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessageStartingWith("This would take the table p-receipts away, which prod has");
  }

  @Test
  void aKeyIsNotTakenAway() {
    Lock next =
        new Lock(LOCK.domain(), LOCK.tables(), Set.of("q/key"), LOCK.layout(), LOCK.place());
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessageStartingWith("This would take the key p/key away, which prod has");
  }

  @Test
  void aDeploymentStaysInItsAccountAndRegion() {
    Lock next =
        new Lock(
            LOCK.domain(),
            LOCK.tables(),
            LOCK.keys(),
            LOCK.layout(),
            new Place("111122223333", "eu-central-1"));
    assertThatThrownBy(() -> LOCK.require(next, "prod"))
        .hasMessage(
            "prod is in the account 111122223333, region eu-west-1, and this would make another"
                + " beside it: say so in its file.");
  }

  @Test
  void theLayoutOfADeploymentStays() {
    Lock before = new Lock(LOCK.domain(), LOCK.tables(), LOCK.keys(), Layout.OF_1_0, LOCK.place());
    assertThatThrownBy(() -> before.require(LOCK, "prod"))
        .hasMessage(
            "prod was deployed with \"layout\": \"1.0\", and its things cannot move to other"
                + " stacks: say so in its file.");
    assertThatThrownBy(() -> LOCK.require(before, "prod"))
        .hasMessageStartingWith("prod was deployed with no \"layout\"");
  }

  @Test
  void whatIsSynthesisedIsTheLockOnceItIsDeployed() throws IOException {
    Path zip = Files.createFile(folder.resolve("functions.zip"));
    App app = new App(AppProps.builder().outdir(folder.resolve("cdk.out").toString()).build());
    Environment prod =
        Environment.named("prod")
            .at(new Domain("api.example.com", "arn:aws:acm:eu-west-1:111122223333:certificate/1"))
            .with(Layout.OF_1_0)
            .in(new Place("111122223333", "eu-west-1"));
    Node.require();
    GovernanceApp.stacks(app, prod, true, zip);
    Lock lock = Lock.of(prod, app.synth());
    assertThat(lock.domain()).isEqualTo("api.example.com");
    assertThat(lock.tables()).contains("governance-prod-state", "governance-prod-receipts");
    assertThat(lock.keys()).containsExactly("governance-prod/master-key");
    assertThat(lock.place()).isEqualTo(prod.place());
    lock.write(Lock.file(folder, "prod"));
    assertThat(Lock.read(folder, "prod")).isEqualTo(lock);
  }

  @Test
  void aLockThatSaysNothingIsRefused() throws IOException {
    assertThat(Lock.read(folder, "prod")).isNull();
    ObjectNode empty = Json.object();
    empty.putArray("tables");
    Files.writeString(folder.resolve("prod.lock.json"), Json.write(empty));
    assertThatThrownBy(() -> Lock.read(folder, "prod"))
        .hasMessageContaining("does not say which tables and keys there are");
  }

  @Test
  void aFirstDeploymentCanBeTakenBackAndTheNextProtects() {
    Environment prod = Environment.named("prod");
    assertThat(Lock.wasDeployed(null, prod)).isFalse();
    assertThat(Lock.wasDeployed(LOCK, prod)).isTrue();
    assertThat(Lock.wasDeployed(null, prod.with(Layout.OF_1_0))).isTrue();
    Synthesised first = Synthesised.first(prod);
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
