package io.actiongovernance.localstack.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the CDK app runs, by a script in its place that counts its runs. */
final class SynthesisTest {
  private static final URI ENDPOINT = URI.create("http://127.0.0.1:4566");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path root;

  @BeforeEach
  void project() throws IOException {
    write("infra-cdk/cdk.json", "{\"context\":{}}");
    write("infra-cdk/environments/localstack.json", "{}");
    write("infra-cdk/target/classes/App.class", "app");
    write("infra-cdk/target/app.classpath", root.resolve("functions/target/classes").toString());
    write("functions/target/classes/Route.class", "route");
    write("functions/target/functions-lambda.zip", "zip");
    write(
        "infra-cdk/synth",
        """
        #!/bin/sh
        echo run >> "%1$s/runs"
        [ ! -e "%1$s/broken" ] || exit 1
        echo '{"artifacts":{}}' > "$CDK_OUTDIR/manifest.json"
        """
            .formatted(root));
    assertThat(root.resolve("infra-cdk/synth").toFile().setExecutable(true)).isTrue();
  }

  @Test
  void synthesisIsSkippedIfItsInputsAreUnchanged() throws Exception {
    synthesise(Map.of());
    synthesise(Map.of());
    synthesise(Map.of("HOME", "of no function"));
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void synthesisRunsAgainAfterAChangeOfAnyInput() throws Exception {
    synthesise(Map.of());
    synthesise(Map.of("GOVERNANCE_WAIT_SLOTS", "7"));
    assertThat(runs()).isEqualTo(2);
    int before = 2;
    for (String input :
        new String[] {
          "infra-cdk/environments/localstack.json",
          "infra-cdk/target/classes/App.class",
          "functions/target/classes/Route.class",
          "functions/target/functions-lambda.zip"
        }) {
      write(input, "changed");
      synthesise(Map.of("GOVERNANCE_WAIT_SLOTS", "7"));
      assertThat(runs()).as(input).isEqualTo(++before);
    }
  }

  @Test
  void aFailedSynthesisRunsAgain() throws Exception {
    synthesise(Map.of());
    write("broken", "");
    write("infra-cdk/environments/localstack.json", "changed");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> synthesise(Map.of())).isInstanceOf(Synthesis.Failed.class);
    }
    assertThat(runs()).isEqualTo(3);
  }

  private void synthesise(Map<String, String> settings) throws Exception {
    var unused = Synthesis.synthesise(root, ENDPOINT, settings, root.resolve("cdk.out"));
  }

  private long runs() throws IOException {
    return Files.readAllLines(root.resolve("runs")).size();
  }

  private void write(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }
}
