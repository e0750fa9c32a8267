package io.actiongovernance.localstack.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What LocalStack is told, however it is started. */
final class LocalStackTest {
  private static final Pattern VARIABLE = Pattern.compile("^ {6}([A-Z_]+): \"(.*)\"$");

  @Test
  void theComposeFileHasTheVariablesOfTheCommand() throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    Files.readAllLines(Path.of("compose.yaml")).stream()
        .map(VARIABLE::matcher)
        .filter(line -> line.matches())
        .forEach(line -> variables.put(line.group(1), line.group(2)));
    assertThat(variables).containsEntry("LOCALSTACK_AUTH_TOKEN", "${LOCALSTACK_AUTH_TOKEN:-}");
    variables.remove("LOCALSTACK_AUTH_TOKEN");
    assertThat(variables).isEqualTo(LocalStack.variables(4566, Map.of()));
    assertThat(Files.readString(Path.of("compose.yaml")))
        .contains("${LOCALSTACK_IMAGE:-" + LocalStack.IMAGE + "}");
    assertThat(Files.readString(Path.of("../docs/localstack-in-ci.yml")))
        .contains("docker pull " + LocalStack.IMAGE + "\n");
  }

  @Test
  void aSecondPortServesLinksInContainersAndOutside() {
    assertThat(LocalStack.variables(8080, Map.of()))
        .containsEntry("GATEWAY_LISTEN", "0.0.0.0:4566,0.0.0.0:8080")
        .containsEntry("LOCALSTACK_HOST", "localhost.localstack.cloud:8080");
  }

  /** Told this, it asks its maker's server which types there are, and offline refuses them all. */
  @Test
  void resourceTypesAreNotLookedUpOnline() {
    assertThat(LocalStack.variables(4566, Map.of()))
        .doesNotContainKey("CFN_IGNORE_UNSUPPORTED_RESOURCE_TYPES");
  }

  @Test
  void theTokenOfAnAccountIsPassedOn() {
    assertThat(LocalStack.variables(4566, Map.of())).doesNotContainKey("LOCALSTACK_AUTH_TOKEN");
    assertThat(LocalStack.variables(4566, Map.of("LOCALSTACK_AUTH_TOKEN", "ls-1")))
        .containsEntry("LOCALSTACK_AUTH_TOKEN", "ls-1");
  }
}
