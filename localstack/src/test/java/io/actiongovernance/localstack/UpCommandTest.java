package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code localstack/up} says of a data folder that is none. */
final class UpCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void aFileAsDataFolderIsReportedInASentence() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "text");
    assertThat(up(file))
        .isEqualTo("error: " + file + " is not a folder. Choose another one with --data.");
    assertThat(up(file.resolve("below"))).startsWith("error: ").endsWith("with --data.");
    assertThat(file).hasContent("text");
  }

  @Test
  void anUnwritableDataFolderIsReportedInASentence() throws Exception {
    Path closed =
        Files.createDirectory(
            folder.resolve("closed"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
    assumeFalse(Files.isWritable(closed), "whoever runs this may write everywhere");
    assertThat(up(closed))
        .isEqualTo(
            "error: The data folder "
                + closed
                + " cannot be written. Choose another one with --data.");
  }

  @Test
  void aDataFolderThatCannotBeMadeIsReportedInASentence() {
    Path nowhere = Path.of("/proc/nowhere/data");
    assumeFalse(Files.notExists(Path.of("/proc/self")), "needs a file system that nobody writes");
    assertThat(up(nowhere))
        .isEqualTo(
            "error: The data folder "
                + nowhere
                + " cannot be written. Choose another one with --data.");
  }

  private static String up(Path data) {
    StringWriter said = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute("up", "--data", data.toString());
    assertThat(code).isEqualTo(1);
    return said.toString().strip();
  }
}
