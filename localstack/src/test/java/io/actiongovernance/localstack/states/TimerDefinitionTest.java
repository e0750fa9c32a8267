package io.actiongovernance.localstack.states;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.trigger.StateMachines;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.fixture.Npm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The definition that is deployed is valid, and {@link MachineRunner} does what it says. */
final class TimerDefinitionTest {
  private static final String FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:f";

  @Test
  void theDefinitionIsTheOneTheRunnerImplements() {
    assertThat(CanonicalJson.sha256(Json.read(StateMachines.definition())))
        .as("Change MachineRunner with the definition, and then this digest.")
        .isEqualTo("7671f5ee640b08ca35bb84b15e8d6dcf3ebf814bde7bd9f252afcd763034cff2");
  }

  @Test
  void aFunctionIsRetriedAsTheDefinitionSays() {
    JsonNode retrier =
        Json.read(StateMachines.definition()).at("/States/InvokeFunction/Retry").path(0);
    int longest = retrier.path("MaxDelaySeconds").intValue();
    assertThat(retrier.path("MaxAttempts").intValue()).isEqualTo(MachineRunner.RETRIES);
    for (int retry = 0; retry < MachineRunner.RETRIES; retry++) {
      double seconds =
          retrier.path("IntervalSeconds").intValue()
              * Math.pow(retrier.path("BackoffRate").doubleValue(), retry);
      assertThat(MachineRunner.pause(retry))
          .isEqualTo(Duration.ofSeconds((long) Math.min(seconds, longest)));
    }
  }

  @Test
  void theDefinitionIsValidStatesLanguage(@TempDir Path folder) throws Exception {
    String text = StateMachines.definition().replace("${Function}", FUNCTION);
    assertThat(validator(folder, text)).isEqualTo("valid");
    // It would say so if it were not.
    assertThat(validator(folder, text.replace("\"Wait\"", "\"Weight\""))).isEqualTo("invalid");
  }

  private static String validator(Path folder, String definition) throws Exception {
    Path validator = Npm.file("asl-validator/dist/bin/asl-validator.js");
    Path file = folder.resolve("machine.asl.json");
    Files.writeString(file, definition);
    Npm.Said said = Npm.node(List.of(validator.toString(), "--json-path", file.toString()));
    assertThat(said.status()).as(said.text()).isIn(0, 1);
    String text = said.text();
    return text.contains("is invalid") ? "invalid" : text.endsWith("is valid") ? "valid" : text;
  }
}
