package io.actiongovernance.localstack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the scripts find a JDK. */
final class ScriptsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void theJdkOfJavaHomeIsUsed() throws Exception {
    Path jdk = jdk("mine", "25.0.1");
    jdk("other", "26");
    assertThat(find(Map.of("JAVA_HOME", jdk.toString()))).isEqualTo("found " + jdk);
  }

  @Test
  void aTooOldJavaHomeIsReplacedByAnInstalledJdk() throws Exception {
    Path old = jdk("old", "17.0.15");
    Path jdk = jdk("installed", "25.0.3");
    assertThat(find(Map.of("JAVA_HOME", old.toString()))).isEqualTo("found " + jdk);
  }

  @Test
  void theOldestSufficientJdkIsUsed() throws Exception {
    jdk("a", "27");
    Path jdk = jdk("b with a space", "25");
    jdk("c", "21.0.1");
    assertThat(find(Map.of())).isEqualTo("found " + jdk);
  }

  @Test
  void aJdkInAMacBundleIsFound() throws Exception {
    Path jdk = jdk("temurin-25.jdk/Contents/Home", "25.0.1");
    assertThat(find(Map.of())).isEqualTo("found " + jdk);
  }

  @Test
  void aRuntimeWithoutACompilerIsRefusedWithTheRemedy() throws Exception {
    Path runtime = jdk("runtime", "25");
    Files.delete(runtime.resolve("bin/javac"));
    assertThat(find(Map.of()))
        .startsWith("error: No JDK 25 or newer found")
        .contains("set JAVA_HOME");
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    for (String tool : new String[] {"java", "javac"}) {
      Files.createFile(
          home.resolve("bin/" + tool),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private String find(Map<String, String> environment) throws Exception {
    ProcessBuilder shell =
        new ProcessBuilder(
            "sh", "-euc", ". scripts/common.sh; find_jdk; echo \"found $JAVA_HOME\"");
    shell.environment().remove("JAVA_HOME");
    shell.environment().put("GOVERNANCE_JDK_FOLDERS", folder.toString());
    shell.environment().putAll(environment);
    Process process = shell.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    process.waitFor();
    return output;
  }
}
