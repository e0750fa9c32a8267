package io.actiongovernance.localstack.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.functions.trigger.StateMachines;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.fixture.Npm;
import io.actiongovernance.time.TimerKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The definitions, and what this stack knows of the States Language. */
final class StateMachineTest {
  private static final String FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:f";

  private static String definition() {
    return StateMachines.definition(TimerKind.PLAN_EXPIRY);
  }

  @ParameterizedTest
  @EnumSource
  void thisStackKnowsAllThatADefinitionSays(TimerKind kind) {
    StateMachine machine = StateMachine.parse(StateMachines.definition(kind));
    assertThat(machine.states()).containsKey(machine.startAt()).hasSize(6);
  }

  @ParameterizedTest
  @EnumSource
  void aDefinitionIsValidStatesLanguage(TimerKind kind, @TempDir Path folder) throws Exception {
    String text = StateMachines.definition(kind).replace("${Function}", FUNCTION);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"Type\": \"Wait\" | \"Type\": \"Parallel\"",
        "\"TimestampPath\" | \"SecondsPath\"",
        "\"Comment\" | \"QueryLanguage\"",
        "$.wait_until | $..wait_until",
        "$.wait_until | $$.Execution.Name",
        "\"Next\": \"Again\" | \"Next\": \"Nowhere\"",
        "\"StartAt\": \"WaitUntilDue\" | \"StartAt\": \"Nowhere\"",
        "${Function} | arn:aws:states:::sqs:sendMessage",
        "\"BooleanEquals\" | \"StringEquals\"",
        "\"IsPresent\": true | \"IsPresent\": \"yes\"",
        "\"MaxAttempts\": 20 | \"MaxAttempts\": 20, \"JitterStrategy\": \"FULL\"",
        "\"MaxAttempts\": 20 | \"MaxAttempts\": \"20\""
      })
  void whatItDoesNotKnowItRefuses(String known, String unknown) {
    String changed = definition().replace(known, unknown);
    assertThat(changed).isNotEqualTo(definition());
    assertThatThrownBy(() -> StateMachine.parse(changed))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRetrierPausesLongerEachTimeUpToItsLongest() {
    StateMachine.Retrier retrier =
        new StateMachine.Retrier(
            List.of("States.ALL"), Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 20);
    assertThat(retrier.pause(0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(retrier.pause(1)).isEqualTo(Duration.ofSeconds(2));
    assertThat(retrier.pause(8)).isEqualTo(Duration.ofSeconds(256));
    assertThat(retrier.pause(9)).isEqualTo(Duration.ofMinutes(5));
    assertThat(retrier.pause(19)).isEqualTo(Duration.ofMinutes(5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "$.", "$[0]", "$.a[0]", "$.a.*", "$.a b", "$..a"})
  void aPathOfAnotherFormIsRefused(String path) {
    assertThatThrownBy(() -> ReferencePath.parse(path))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPathNamesAValueAndAPlaceForOne() {
    var data = Json.read("{\"a\":{\"b\":1},\"c\":2}");
    assertThat(ReferencePath.parse("$.a.b").in(data).intValue()).isEqualTo(1);
    assertThat(ReferencePath.parse("$").in(data)).isEqualTo(data);
    assertThat(ReferencePath.parse("$.a.x").in(data).isMissingNode()).isTrue();
    assertThat(ReferencePath.parse("$.a.b").put(data, Json.read("[3]")))
        .isEqualTo(Json.read("{\"a\":{\"b\":[3]},\"c\":2}"));
    assertThat(ReferencePath.parse("$.x.y").put(data, Json.read("4")))
        .isEqualTo(Json.read("{\"a\":{\"b\":1},\"c\":2,\"x\":{\"y\":4}}"));
    assertThat(ReferencePath.parse("$").put(data, Json.read("5"))).isEqualTo(Json.read("5"));
    assertThat(data).isEqualTo(Json.read("{\"a\":{\"b\":1},\"c\":2}"));
  }
}
