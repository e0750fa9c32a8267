package io.actiongovernance.localstack.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** Writes files that only their owner can read, and that nobody ever reads half of. */
public final class OwnersFile {
  private OwnersFile() {}

  /** Writes the file in one rename; of several concurrent writers, one wins. */
  public static void write(Path file, String text) throws IOException {
    Path next =
        Files.createTempFile(
            Objects.requireNonNull(file.toAbsolutePath().getParent()),
            file.getFileName() + ".",
            ".next",
            attributes(file, "rw-------"));
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** Creates a folder for its owner only, unless it exists. */
  public static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, attributes(folder, "rwx------"));
  }

  /**
   * Returns the permissions, or none if the file system has none; a home is its owner's then
   * already.
   */
  private static FileAttribute<?>[] attributes(Path path, String permissions) {
    Set<String> known = path.getFileSystem().supportedFileAttributeViews();
    return known.contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
