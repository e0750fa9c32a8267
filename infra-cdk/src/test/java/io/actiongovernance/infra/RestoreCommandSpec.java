package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.infra.restore.MadeExports;
import io.actiongovernance.infra.restore.MadeTables;
import io.actiongovernance.infra.restore.TableService.Window;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.TableCreationParameters;

/** {@code infra-cdk/restore}, over tables in memory. */
final class RestoreCommandSpec {
  private static final Place PLACE = new Place("111122223333", "eu-west-1");
  private static final String AT = "2026-11-26T10:00:00Z";

  private final MadeTables tables = new MadeTables(PLACE.account());
  private final MadeExports exports = new MadeExports(tables);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @BeforeEach
  void prodIsDeployed() throws IOException {
    Node.require();
    Files.copy(EnvironmentFile.FOLDER.resolve("prod.json"), folder.resolve("prod.json"));
    Set<String> names = Set.of("governance-prod-state", "governance-prod-receipts");
    new DeploymentRecord(null, names, Set.of("governance-prod/master-key"), PLACE)
        .write(DeploymentRecord.file(folder, "prod"));
    for (String name : names) {
      tables.make(
          name,
          new Window(Instant.parse("2026-11-01T00:00:00Z"), Instant.parse(AT).plusSeconds(60)));
      tables.put(name, "a", "b");
      tables.second(name);
    }
  }

  private int restore(String... arguments) {
    return RestoreCommand.commandLine(
            new RestoreCommand.Surroundings(
                folder,
                folder.resolve("made"),
                place -> {
                  assertThat(place).isEqualTo(PLACE);
                  return tables;
                },
                place -> {
                  assertThat(place).isEqualTo(PLACE);
                  return exports;
                },
                pause -> {},
                new Terminal(new PrintWriter(out), new PrintWriter(err))))
        .execute(arguments);
  }

  private int restoreTable(String table, String... more) {
    return restore(
        Stream.concat(Stream.of("--env", "prod", "--table", table, "--at", AT), Arrays.stream(more))
            .toArray(String[]::new));
  }

  @Test
  void aRestoreCopiesTheTableAndWritesItsImportFiles() throws IOException {
    assertThat(restoreTable("state", "--apply")).as(err.toString()).isZero();
    assertThat(tables.carried("governance-prod-state-2"))
        .isEqualTo(
            "stream true, expiry expires, restorable true, kept true, policy false, tags"
                + " {governance:environment=prod}");
    assertThat(Json.read(Files.readString(folder.resolve("made/state-2.import.json"))).toString())
        .isEqualTo(
            "[{\"ResourceType\":\"AWS::DynamoDB::Table\",\"LogicalResourceId\":\"State2\","
                + "\"ResourceIdentifier\":{\"TableName\":\"governance-prod-state-2\"}}]");
    JsonNode resource = Json.read(Files.readString(folder.resolve("made/state-2.json")));
    assertThat(resource.at("/State2/Properties/TableName").asText())
        .isEqualTo("governance-prod-state-2");
    assertThat(resource.at("/State2/DeletionPolicy").asText()).startsWith("Retain");
    assertThat(out.toString())
        .contains("--change-set-type IMPORT --resources-to-import file://")
        .contains("--stack-name governance-prod-data --change-set-name restore-state-2")
        .contains("Write into environments/prod.json: \"tables\": {\"state\": {\"generation\": 2}}")
        .contains("Then: ./deploy prod");
  }

  @Test
  void theImportFileMatchesTheNextDeployment() throws IOException {
    assertThat(restoreTable("receipts", "--apply")).isZero();
    JsonNode made = Json.read(Files.readString(folder.resolve("made/receipts-2.json")));
    Environment next = Environment.named("prod").in(PLACE).with(Table.RECEIPTS, 2);
    assertThat(made.path("Receipts2"))
        .isEqualTo(
            Objects.requireNonNull(Synthesised.data(next).templates().get("data"))
                .at("/Resources/Receipts2"));
  }

  @Test
  void restoredReceiptsGetTheirPolicyBeforeTheyAreUsed() throws IOException {
    assertThat(restoreTable("receipts", "--apply")).isZero();
    assertThat(tables.carried("governance-prod-receipts-2"))
        .startsWith("stream true, expiry null, restorable true, kept true, policy true");
    JsonNode policy = Json.read(String.valueOf(tables.policy("governance-prod-receipts-2")));
    assertThat(policy.at("/Statement/0/Resource").asText())
        .isEqualTo("arn:aws:dynamodb:eu-west-1:111122223333:table/governance-prod-receipts-2");
    assertThat(policy.toString())
        .contains("arn:aws:iam::111122223333:role/governance-prod-execute-action-eu-west-1")
        .doesNotContain("Fn::", "\"Ref\"");
  }

  @Test
  void theLockLetsTheNextDeploymentUseIt() {
    assertThat(restoreTable("state", "--apply")).isZero();
    DeploymentRecord lock = Objects.requireNonNull(DeploymentRecord.read(folder, "prod"));
    assertThat(lock.restored()).containsExactly("governance-prod-state-2");
    assertThat(lock.tables()).doesNotContain("governance-prod-state-2");
  }

  @Test
  void withoutApplyNothingIsDoneAndTheLockIsUnchanged() throws IOException {
    String before = Files.readString(DeploymentRecord.file(folder, "prod"));
    assertThat(restoreTable("state")).isZero();
    assertThat(tables.done()).isEmpty();
    assertThat(Files.readString(DeploymentRecord.file(folder, "prod"))).isEqualTo(before);
    assertThat(out.toString())
        .contains(
            "Would restore governance-prod-state as of " + AT + " as governance-prod-state-2.")
        .contains("\"tables\": {\"state\": {\"generation\": 2}}");
  }

  @Test
  void aGenerationThatIsNotDeployedIsNotRestoredFrom() throws IOException {
    ObjectNode file = (ObjectNode) Json.read(Files.readString(folder.resolve("prod.json")));
    file.putObject("tables").putObject("state").put("generation", 2);
    Files.writeString(folder.resolve("prod.json"), Json.write(file));
    assertThat(restoreTable("state", "--apply")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith(
            "error: prod has not deployed the table governance-prod-state-2. Deploy it first, or"
                + " set its generation back.");
    assertThat(tables.done()).isEmpty();
  }

  @Test
  void anEnvironmentNeverDeployedIsNotRestored() throws IOException {
    Files.delete(DeploymentRecord.file(folder, "prod"));
    assertThat(restoreTable("state", "--apply")).isEqualTo(1);
    assertThat(err.toString())
        .contains("prod.lock.json: an environment that infra-cdk/deploy has not deployed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          state  | 2026-11-26 10:00         | 1 | error: --at must be a second, such as 2026-11-26T10:00:00Z: 2026-11-26 10:00
          state  | 2026-11-26T10:00:00.500Z | 1 | error: --at must be a second, such as 2026-11-26T10:00:00Z: 2026-11-26T10:00:00.500Z
          states | 2026-11-26T10:00:00Z     | 1 | error: There is no table named states.
          state  | 2026-12-26T10:00:00Z     | 1 | error: The table governance-prod-state can be restored to a second from 2026-11-01T00:00:00Z to 2026-11-26T10:01:00Z, not to 2026-12-26T10:00:00Z.
          """)
  void aTableThatCannotBeRestoredIsRefusedWithTheReason(
      String table, String at, int code, String sentence) {
    assertThat(restore("--env", "prod", "--table", table, "--at", at, "--apply")).isEqualTo(code);
    assertThat(err.toString().strip()).isEqualTo(sentence);
    assertThat(tables.done()).isEmpty();
  }

  @Test
  void aMissingOptionIsNamedAndHelpListsAll() {
    assertThat(restore("--env", "prod", "--table", "state")).isEqualTo(2);
    assertThat(err.toString()).contains("Give --at SECOND, or --from-export.");
    assertThat(restore("--help")).isZero();
    assertThat(out.toString()).contains("--apply", "state, events, receipts");
  }

  private int importState(String... more) {
    return restore(
        Stream.concat(
                Stream.of("--env", "prod", "--table", "state", "--from-export"),
                Arrays.stream(more))
            .toArray(String[]::new));
  }

  private void exportState() {
    Instant first = Instant.parse("2026-11-01T00:00:00Z");
    exports.exportAll("governance-prod-state", first);
    exports.exportChanges("governance-prod-state", first, first.plus(Duration.ofDays(1)));
  }

  @Test
  void theNewestFullExportIsImportedAndTheLockLetsTheNextDeploymentUseIt() {
    exportState();
    tables.lose("governance-prod-state");
    assertThat(importState("--apply")).as(err.toString()).isZero();
    assertThat(tables.carried("governance-prod-state-2"))
        .isEqualTo(
            "stream true, expiry expires, restorable true, kept true, policy false, tags"
                + " {governance:environment=prod}");
    DeploymentRecord lock = Objects.requireNonNull(DeploymentRecord.read(folder, "prod"));
    assertThat(lock.restored()).containsExactly("governance-prod-state-2");
    assertThat(out.toString())
        .contains(
            "NOT applied: the changes after 2026-11-01T00:00:00Z are not in the new table.",
            "  from 2026-11-01T00:00:00Z to 2026-11-02T00:00:00Z: ",
            "Then: ./deploy prod");
  }

  @Test
  void anImportWithoutApplyChangesNothing() throws IOException {
    exportState();
    String before = Files.readString(DeploymentRecord.file(folder, "prod"));
    assertThat(importState("--at", AT)).as(err.toString()).isZero();
    assertThat(tables.done()).isEmpty();
    assertThat(Files.readString(DeploymentRecord.file(folder, "prod"))).isEqualTo(before);
  }

  @Test
  void aTableWithoutAFullExportIsNotImported() throws IOException {
    String before = Files.readString(DeploymentRecord.file(folder, "prod"));
    assertThat(importState("--apply")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith(
            "error: The table governance-prod-state has no completed full export that can be"
                + " imported.");
    exportState();
    assertThat(importState("--apply", "--at", "2026-10-31T00:00:00Z")).isEqualTo(1);
    assertThat(tables.done()).isEmpty();
    assertThat(Files.readString(DeploymentRecord.file(folder, "prod"))).isEqualTo(before);
  }

  /** A property that an import neither sets nor is given later would be lost by it. */
  @ParameterizedTest
  @EnumSource(Table.class)
  void anImportedTableHasEverySettingOfItsTemplate(Table table) {
    Environment next = Environment.named("prod").in(PLACE).with(table, 2);
    RestoredResource resource = RestoredResource.of(next, table, folder.resolve("synthesised"));
    JsonNode properties = resource.body().path("Properties");
    assertThat(properties.fieldNames())
        .toIterable()
        .isSubsetOf(
            "TableName",
            "BillingMode",
            "AttributeDefinitions",
            "KeySchema",
            "GlobalSecondaryIndexes",
            "StreamSpecification",
            "TimeToLiveSpecification",
            "PointInTimeRecoverySpecification",
            "DeletionProtectionEnabled",
            "Tags",
            "ResourcePolicy");
    TableCreationParameters creation = resource.wanted(PLACE).creation();
    assertThat(creation.tableName()).isEqualTo("governance-prod-" + table.word() + "-2");
    assertThat(creation.billingModeAsString()).isEqualTo("PAY_PER_REQUEST");
    assertThat(creation.keySchema()).hasSize(properties.path("KeySchema").size());
    assertThat(creation.attributeDefinitions())
        .hasSize(properties.path("AttributeDefinitions").size());
    assertThat(creation.globalSecondaryIndexes())
        .extracting(
            index -> index.indexName(), index -> index.projection().projectionTypeAsString())
        .containsExactlyElementsOf(
            table.indexes().stream()
                .map(index -> tuple(index.hash(), Tables.projectionType(index).toString()))
                .toList());
  }
}
