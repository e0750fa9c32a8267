package io.actiongovernance.localstack.gov;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** That the command line begins in a moment: it loads nothing of the stack. */
final class StartTest {
  @Test
  void helpLoadsNeitherTheStackNorTheAwsSdk() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "io.actiongovernance.localstack.gov.Gov",
                "--help")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).describedAs(said).isZero();
    assertThat(said).contains("io.actiongovernance.localstack.gov.ApproveCommand", "Usage: gov");
    for (String heavy :
        new String[] {
          " software.amazon.",
          " org.eclipse.",
          " org.slf4j.",
          " scala.",
          " io.actiongovernance.functions.",
          " io.actiongovernance.localstack.EmbeddedStack"
        }) {
      assertThat(said.lines().filter(line -> line.contains(heavy))).isEmpty();
    }
  }
}
