package io.actiongovernance.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code infra-cdk/deploy}, over a command line of the CDK that only notes its calls.
 */
final class DeployScriptTest {
  private static final String ASKED = "AccountCommand --env prod -c domain=a.b -c models=x y";
  private static final String NOTED = "VersionsCommand --env prod --note";
  private static final String KEPT = "VersionsCommand --env prod";
  private static final String SYNTHESISED =
      "npx cdk synth --quiet -c env=prod -c domain=a.b -c models=x y";
  private static final String SHOWN = "npx cdk diff --all --app cdk.out --security-only";
  private static final String DEPLOYED =
      "npx cdk deploy --all --app cdk.out --require-approval never -c domain=a.b --concurrency 4"
          + " --context models=x y";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path root;

  @BeforeEach
  void aProject() throws IOException {
    Files.createDirectories(root.resolve("localstack/scripts"));
    Files.createDirectories(root.resolve("infra-cdk/environments"));
    Files.createDirectories(root.resolve("infra-cdk/cdk.out"));
    Files.copy(Path.of("deploy"), root.resolve("infra-cdk/deploy"));
    Files.writeString(root.resolve("infra-cdk/cdk.out/prod.lock.json"), "{}");
    Files.writeString(
        root.resolve("localstack/scripts/common.sh"),
        """
        ROOT=%1$s
        fail() { echo "error: $*" >&2; exit 1; }
        say() { echo "$*" >&2; }
        npx() { echo "npx $*" >> %1$s/calls; [ ! -f %1$s/refused ] || [ "$2" != deploy ]; }
        run_infra() { echo "$*" >> %1$s/calls; [ ! -f %1$s/lacking ] || fail lacking; exit; }
        """
            .formatted(root));
  }

  private int deploy(String... more) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("sh", root.resolve("infra-cdk/deploy").toString(), "prod", "-c", "domain=a.b"));
    command.addAll(List.of(more));
    command.addAll(List.of("--concurrency", "4", "--context", "models=x y"));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .start();
    Files.writeString(
        root.resolve("said"), new String(process.getInputStream().readAllBytes(), UTF_8));
    return process.waitFor();
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(root.resolve("calls"));
  }

  private String said() throws IOException {
    return Files.readString(root.resolve("said"));
  }

  @Test
  void withoutATerminalTheRightsAreShownAndNothingIsDeployed() throws Exception {
    assertThat(deploy()).isEqualTo(1);
    assertThat(calls()).containsExactly(ASKED, SYNTHESISED, SHOWN);
    assertThat(said()).contains("give --yes");
  }

  @Test
  void theYesOptionDeploysTheShownTemplates() throws Exception {
    Files.writeString(root.resolve("infra-cdk/environments/prod.lock.json"), "before");
    assertThat(deploy("--yes")).as(said()).isZero();
    assertThat(calls()).containsExactly(ASKED, SYNTHESISED, SHOWN, NOTED, DEPLOYED, KEPT);
    assertThat(root.resolve("infra-cdk/environments/prod.lock.json")).hasContent("{}");
  }

  @Test
  void aFirstDeploymentIsFollowedByOneThatProtectsTheTables() throws Exception {
    assertThat(deploy("--yes")).as(said()).isZero();
    assertThat(calls())
        .containsExactly(ASKED, SYNTHESISED, SHOWN, NOTED, DEPLOYED, SYNTHESISED, DEPLOYED, KEPT);
  }

  @Test
  void aDeploymentThatFailsKeepsNoVersionsAndNoLock() throws Exception {
    Files.createFile(root.resolve("refused"));
    assertThat(deploy("--yes")).isEqualTo(1);
    assertThat(calls()).containsExactly(ASKED, SYNTHESISED, SHOWN, NOTED, DEPLOYED);
    assertThat(root.resolve("infra-cdk/environments/prod.lock.json")).doesNotExist();
  }

  @Test
  void anEmulatorHasNoLockAndKeepsNoVersions() throws Exception {
    Files.delete(root.resolve("infra-cdk/cdk.out/prod.lock.json"));
    assertThat(deploy("--yes")).as(said()).isZero();
    assertThat(calls()).containsExactly(ASKED, SYNTHESISED, SHOWN, NOTED, DEPLOYED);
  }

  @Test
  void anAccountThatLacksSomethingStopsItBeforeAnythingElse() throws Exception {
    Files.createFile(root.resolve("lacking"));
    assertThat(deploy("--yes")).isEqualTo(1);
    assertThat(calls()).containsExactly(ASKED);
  }
}
