package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.infra.restore.Recovery;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code infra-cdk/recover}, over a deployment that is made up. */
final class RecoverCommandSpec {
  private static final Place PLACE = new Place("111122223333", "eu-west-1");
  private static final String SINCE = "2026-11-26T10:00:00Z";
  private static final Instant NOW = Instant.parse("2026-11-26T11:00:00Z");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<ObjectNode> steps = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @BeforeEach
  void prodIsDeployedWithRestoredTables() throws IOException {
    Node.require();
    environment("\"tables\": {\"effects\": {\"generation\": 2}, \"state\": {\"generation\": 2}}, ");
    new DeploymentRecord(
            null,
            Set.of("governance-prod-effects-2", "governance-prod-state-2"),
            Set.of("governance-prod/master-key"),
            PLACE)
        .write(DeploymentRecord.file(folder, "prod"));
  }

  private void environment(String tables) throws IOException {
    String prod = Files.readString(EnvironmentFile.FOLDER.resolve("prod.json"));
    Files.writeString(folder.resolve("prod.json"), prod.replaceFirst("\\{", "{" + tables));
  }

  /** Two steps of the tenant, of which the first finds something, and one open plan. */
  private JsonNode step(ObjectNode input) {
    steps.add(input.deepCopy());
    ObjectNode answer = Json.object();
    if (input.path("claims").size() == 20) {
      answer
          .putArray("found")
          .addObject()
          .put("kind", "unowned")
          .put("partition", "t_1#live")
          .put("plan_id", "pl_3")
          .put("action_id", "act_3");
      return answer.putNull("next");
    }
    ObjectNode found = answer.putArray("found").addObject().put("partition", "t_1#live");
    if (input.has("partition") && input.path("from").isNull()) {
      found.put("kind", "applied").put("plan_id", "pl_1").put("action_id", "act_1");
      return answer.put("next", "rc_1");
    }
    if (input.path("shard").asInt(-1) == 3) {
      found.put("kind", "open").put("plan_id", "pl_2").putNull("action_id");
      return answer.putNull("next");
    }
    answer.putArray("found");
    return answer.putNull("next");
  }

  private int run(String... arguments) {
    Recovery.Deployed deployed =
        new Recovery.Deployed() {
          @Override
          public List<String> partitions() {
            return List.of("t_1#live");
          }

          @Override
          public Stream<String> openClaims() {
            return IntStream.range(0, 120).mapToObj(each -> "t_1#live#effect#" + each);
          }

          @Override
          public JsonNode step(ObjectNode input) {
            return RecoverCommandSpec.this.step(input);
          }
        };
    return RecoverCommand.commandLine(
            new RecoverCommand.Surroundings(
                folder,
                environment -> {
                  assertThat(environment.lock().place()).isEqualTo(PLACE);
                  return deployed;
                },
                () -> NOW,
                new Terminal(new PrintWriter(out), new PrintWriter(err))))
        .execute(arguments);
  }

  @Test
  void everyStepRunsForAllTenantsAndShardsAndItsFindingsAreListed() {
    assertThat(run("--env", "prod", "--table", "effects", "--since", SINCE, "--apply"))
        .as(err.toString())
        .isZero();
    assertThat(steps).hasSize(2 + DueIndex.SHARDS).allMatch(step -> step.path("apply").asBoolean());
    assertThat(steps.get(1).path("from").asText()).isEqualTo("rc_1");
    assertThat(steps.getLast().path("until").asText()).isEqualTo(NOW.toString());
    assertThat(out.toString())
        .contains("applied, claimed again  t_1#live  pl_1  act_1")
        .contains("open, to be expired  t_1#live  pl_2")
        .endsWith("1 applied, 1 open.\n");
  }

  @Test
  void withoutApplyNothingIsDone() {
    assertThat(run("--env", "prod", "--table", "effects", "--since", SINCE)).isZero();
    assertThat(steps).noneMatch(step -> step.path("apply").asBoolean());
    assertThat(out.toString()).endsWith("1 applied, 1 open; nothing was changed.\n");
  }

  @Test
  void lostStateIsRecoveredInBatchesOfFiftyClaims() {
    assertThat(run("--env", "prod", "--table", "state", "--apply")).as(err.toString()).isZero();
    assertThat(steps).extracting(step -> step.path("claims").size()).containsExactly(50, 50, 20);
    assertThat(out.toString())
        .contains("may have been called, ends as unknown  t_1#live  pl_3  act_3")
        .endsWith("1 unowned.\n");
  }

  @Test
  void aTableThatNeedsNoRecoveryIsRefused() {
    assertThat(run("--env", "prod", "--table", "limits")).isEqualTo(1);
    assertThat(run("--env", "prod", "--table", "state", "--since", SINCE)).isEqualTo(1);
    assertThat(err.toString()).contains("no repair").contains("Leave --since and --until out");
    assertThat(steps).isEmpty();
  }

  @Test
  void aTableThatWasNotRestoredIsRefused() throws IOException {
    environment("");
    assertThat(run("--env", "prod", "--table", "effects", "--since", SINCE, "--apply"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("first generation of effects");
    assertThat(steps).isEmpty();
  }

  @Test
  void aFutureOrInvalidTimeIsRefused() {
    assertThat(run("--env", "prod", "--table", "effects", "--since", "2026-11-26T12:00:00Z"))
        .isEqualTo(1);
    assertThat(run("--env", "prod", "--table", "effects", "--since", "yesterday")).isEqualTo(1);
    assertThat(err.toString()).contains("not be in the future").contains("must be a time");
    assertThat(steps).isEmpty();
  }
}
