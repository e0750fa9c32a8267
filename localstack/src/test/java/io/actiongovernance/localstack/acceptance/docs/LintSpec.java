package io.actiongovernance.localstack.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.fixture.Npm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two linters that others wrote find nothing in the published contract, warnings included; {@code
 * src/test/npm} says by which rules.
 */
@Acceptance
final class LintSpec {
  private static final Path RULES = Path.of("src/test/npm").toAbsolutePath();

  private static final ObjectNode UNTITLED = Json.object().put("openapi", "3.1.0");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void redoclyFindsNothing(Given given) throws Exception {
    assertThat(redocly(published(given)).text()).contains("Your API description is valid");
    // It would say so if there were something.
    Npm.Said broken = redocly(UNTITLED);
    assertThat(broken.status()).as(broken.text()).isEqualTo(1);
    assertThat(broken.text()).contains("info");
  }

  @Test
  void spectralFindsNothing(Given given) throws Exception {
    Npm.Said said = spectral(published(given));
    assertThat(said.status()).as(said.text()).isZero();
    Npm.Said broken = spectral(UNTITLED);
    assertThat(broken.status()).as(broken.text()).isEqualTo(1);
    assertThat(broken.text()).contains("info");
  }

  private static ObjectNode published(Given given) {
    return (ObjectNode) given.api().as(null).get("/v1/openapi.json").is(200);
  }

  private Npm.Said redocly(ObjectNode document) throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            "node",
            Npm.file("@redocly/cli/bin/cli.js").toString(),
            "lint",
            write(document),
            "--config",
            RULES.resolve("redocly.yaml").toString(),
            "--format=stylish");
    command.environment().put("REDOCLY_TELEMETRY", "off");
    command.environment().put("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    return Npm.run(command);
  }

  private Npm.Said spectral(ObjectNode document) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add(Npm.file("@stoplight/spectral-cli/dist/index.js").toString());
    arguments.addAll(List.of("lint", write(document), "--fail-severity", "hint"));
    arguments.addAll(List.of("--ruleset", RULES.resolve("spectral.yaml").toString()));
    return Npm.node(arguments);
  }

  private String write(ObjectNode document) throws Exception {
    Path file = Files.createTempFile(folder, "openapi", ".json");
    Files.writeString(file, Json.write(document));
    return file.toString();
  }
}
