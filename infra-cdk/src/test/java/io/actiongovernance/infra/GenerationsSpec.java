package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static io.actiongovernance.infra.Synthesised.list;
import static io.actiongovernance.infra.Synthesised.oneOrMore;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.store.Table;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A table that was restored is used in the place of the one that it was restored from. */
final class GenerationsSpec {
  private static final String TABLE = "AWS::DynamoDB::Table";

  /** State was restored once, receipts twice. */
  private static final Environment ENVIRONMENT =
      Synthesised.whole()
          .in(new Place("111122223333", "eu-west-1"))
          .copiedTo(new Backup("arn:aws:backup:eu-central-1:111122223333:backup-vault:copies", 35))
          .with(Table.STATE, 2)
          .with(Table.RECEIPTS, 3);

  static final Synthesised RESTORED = Synthesised.of(ENVIRONMENT);

  /** A table of another logical identifier is another table. */
  @Test
  void theFirstGenerationKeepsItsPlainName() {
    Map<String, String> names =
        PROD.all(TABLE).stream()
            .collect(Collectors.toMap(Resource::id, table -> table.text("/TableName")));
    assertThat(names)
        .isEqualTo(
            Map.of(
                "State", "governance-prod-state",
                "Events", "governance-prod-events",
                "Receipts", "governance-prod-receipts",
                "Effects", "governance-prod-effects",
                "Idempotency", "governance-prod-idempotency",
                "Results", "governance-prod-results",
                "Limits", "governance-prod-limits"));
  }

  @Test
  void namingTheFirstGenerationChangesNothing() {
    Environment said = Synthesised.whole().with(Table.STATE, 1).with(Table.LIMITS, 1);
    assertThat(Synthesised.of(said).templates()).isEqualTo(PROD.templates());
  }

  @Test
  void theTableInUseAndTheOneBeforeAreInTheTemplate() {
    Map<String, String> names = new TreeMap<>();
    RESTORED.all(TABLE).forEach(table -> names.put(table.id(), table.text("/TableName")));
    assertThat(names)
        .containsEntry("State", "governance-prod-state")
        .containsEntry("State2", "governance-prod-state-2")
        .containsEntry("Receipts2", "governance-prod-receipts-2")
        .containsEntry("Receipts3", "governance-prod-receipts-3")
        .doesNotContainKey("Receipts")
        .hasSize(Table.values().length + 2);
  }

  @Test
  void theOldTableKeepsItsStreamUntilFunctionsUseTheNewOne() {
    JsonNode before = template(PROD);
    JsonNode after = template(RESTORED);
    assertThat(after.at("/Resources/State")).isEqualTo(before.at("/Resources/State"));
    assertThat(after.at("/Resources/State/DeletionPolicy").asText()).startsWith("Retain");
    assertThat(after.at("/Resources/State/UpdateReplacePolicy").asText()).isEqualTo("Retain");
    before
        .path("Outputs")
        .properties()
        .forEach(
            output -> {
              if (output.getValue().toString().contains("\"State\"")) {
                assertThat(after.path("Outputs").path(output.getKey()))
                    .isEqualTo(output.getValue());
              }
            });
    assertThat(before.path("Outputs").toString()).contains("\"State\"");
  }

  @Test
  void theRestoredTableIsLikeTheOneBefore() {
    JsonNode resources = template(RESTORED).path("Resources");
    ObjectNode before = (ObjectNode) resources.path("State").deepCopy();
    ObjectNode after = (ObjectNode) resources.path("State2").deepCopy();
    ((ObjectNode) before.path("Properties")).remove("TableName");
    ((ObjectNode) after.path("Properties")).remove("TableName");
    before.remove(List.of("Metadata", "DeletionPolicy"));
    assertThat(after.path("DeletionPolicy").asText()).isEqualTo("Retain");
    after.remove(List.of("Metadata", "DeletionPolicy"));
    assertThat(after).isEqualTo(before);
  }

  @Test
  void theReceiptTablesInUseHaveTheirOwnPolicy() {
    for (String id : List.of("Receipts2", "Receipts3")) {
      JsonNode table = template(RESTORED).at("/Resources/" + id + "/Properties");
      JsonNode statements = table.at("/ResourcePolicy/PolicyDocument/Statement");
      assertThat(list(statements)).hasSize(3);
      assertThat(list(statements))
          .allSatisfy(
              statement ->
                  assertThat(flat(statement.path("Resource")))
                      .endsWith(":table/" + table.path("TableName").asText()));
    }
  }

  @Test
  void everyFunctionKnowsAndMayUseOnlyTheTablesInUse() {
    for (Resource function : RESTORED.all("AWS::Lambda::Function")) {
      assertThat(function.text("/Environment/Variables/GOVERNANCE_TABLE_GENERATIONS"))
          .isEqualTo("state=2,receipts=3");
    }
    Set<String> resources =
        RESTORED.all("AWS::IAM::Role").stream()
            .flatMap(role -> Synthesised.statements(role).stream())
            .flatMap(statement -> oneOrMore(statement.path("Resource")).stream())
            .filter(resource -> !resource.isMissingNode())
            .map(Synthesised::flat)
            .filter(resource -> resource.contains(":table/"))
            .collect(Collectors.toSet());
    assertThat(resources)
        .anyMatch(resource -> resource.endsWith("/governance-prod-state-2"))
        .anyMatch(resource -> resource.endsWith("/governance-prod-state-2/index/due_shard"))
        .anyMatch(resource -> resource.endsWith("/governance-prod-receipts-3"))
        .noneMatch(resource -> resource.matches(".*/governance-prod-state(/.*)?"))
        .noneMatch(resource -> resource.matches(".*/governance-prod-receipts(-2)?(/.*)?"));
  }

  @Test
  void relaysFollowTheStreamsOfTheTablesInUse() {
    List<String> followed =
        RESTORED.all("AWS::Lambda::EventSourceMapping").stream()
            .map(mapping -> flat(mapping.property("/EventSourceArn")))
            .filter(arn -> arn.contains("StreamArn"))
            .toList();
    assertThat(followed)
        .isNotEmpty()
        .allMatch(
            arn -> !arn.contains("AttStateStreamArn") && !arn.contains("AttReceiptsStreamArn"))
        .anyMatch(arn -> arn.contains("AttState2StreamArn"))
        .anyMatch(arn -> arn.contains("AttReceipts3StreamArn"));
  }

  @Test
  void alarmsAndBackupsFollowTheTablesInUse() {
    String alarm =
        RESTORED
            .one("AWS::CloudWatch::Alarm", "/AlarmName", "governance-prod-throttled-state")
            .body()
            .toString();
    assertThat(alarm).contains("\"governance-prod-state-2\"").doesNotContain("prod-state\"");
    List<String> copied =
        list(
                RESTORED
                    .all("AWS::Backup::BackupSelection")
                    .getFirst()
                    .property("/BackupSelection/Resources"))
            .stream()
            .map(Synthesised::flat)
            .toList();
    assertThat(copied)
        .anyMatch(arn -> arn.endsWith("/governance-prod-state-2"))
        .noneMatch(arn -> arn.endsWith("/governance-prod-state"));
  }

  @Test
  void theLockListsTablesInUseAndRetiredOnes() {
    DeploymentRecord lock = RESTORED.lock();
    assertThat(lock.tables())
        .contains("governance-prod-state-2", "governance-prod-receipts-3")
        .hasSize(Table.values().length);
    assertThat(lock.retired())
        .containsExactlyInAnyOrder(
            "governance-prod-state", "governance-prod-receipts", "governance-prod-receipts-2");
    assertThat(lock.restored()).isEmpty();
  }

  private static JsonNode template(Synthesised of) {
    return Objects.requireNonNull(of.templates().get("data"));
  }
}
