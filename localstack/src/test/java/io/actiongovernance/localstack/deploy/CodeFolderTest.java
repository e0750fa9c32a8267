package io.actiongovernance.localstack.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CodeFolderTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path root;

  @BeforeEach
  void project() throws IOException {
    Files.createDirectories(root.resolve(Synthesis.ZIP).getParent());
    zip("one");
  }

  @Test
  void unpackedFilesAreReadableByEveryUser() throws IOException {
    Path folder = unpack();
    assertThat(folder.resolve("lib/functions.jar")).hasContent("one");
    for (Path file : List.of(folder, folder.resolve("lib"), folder.resolve("lib/functions.jar"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rwxr-xr-x");
    }
  }

  @Test
  void anUnchangedZipIsNotUnpackedAgain() throws IOException {
    Path folder = unpack();
    Files.writeString(folder.resolve("lib/functions.jar"), "kept");
    assertThat(unpack()).isEqualTo(folder);
    assertThat(folder.resolve("lib/functions.jar")).hasContent("kept");
  }

  @Test
  void aNewZipGetsANewFolderAndTheOldOneIsDeleted() throws IOException {
    Path before = unpack();
    Files.createDirectories(before.resolveSibling("unfinished/lib"));
    zip("two");
    Path after = unpack();
    assertThat(after).isNotEqualTo(before);
    assertThat(after.resolve("lib/functions.jar")).hasContent("two");
    try (Stream<Path> left = Files.list(after.getParent())) {
      assertThat(left).containsExactly(after);
    }
  }

  private Path unpack() throws IOException {
    return CodeFolder.unpack(root, root.resolve("code"));
  }

  private void zip(String content) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(root.resolve(Synthesis.ZIP)))) {
      zip.putNextEntry(new ZipEntry("lib/"));
      zip.putNextEntry(new ZipEntry("lib/functions.jar"));
      zip.write(content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }
}
