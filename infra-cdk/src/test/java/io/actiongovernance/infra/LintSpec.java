package io.actiongovernance.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The templates are what CloudFormation takes, as far as cfn-lint knows; where that is installed,
 * and on request, since it takes a minute.
 */
@EnabledIfSystemProperty(
    named = "governance.proofs",
    matches = "true",
    disabledReason = "cfn-lint takes a minute: -Dgovernance.proofs=true")
final class LintSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void theTemplatesAreClean() throws IOException, InterruptedException {
    assumeTrue(installed(), "cfn-lint is not on the path.");
    for (Map.Entry<String, JsonNode> template : Synthesised.PROD.templates().entrySet()) {
      Path file = folder.resolve(template.getKey() + ".json");
      Files.writeString(file, Json.write(template.getValue()));
      Process lint =
          new ProcessBuilder("cfn-lint", "--format", "parseable", "-t", file.toString())
              .redirectErrorStream(true)
              .start();
      assertThat(new String(lint.getInputStream().readAllBytes(), UTF_8)).isEmpty();
      assertThat(lint.waitFor()).isZero();
    }
  }

  private static boolean installed() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "cfn-lint")));
  }
}
