package io.actiongovernance.localstack.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * Writes files that only their owner can read. Nobody ever reads a file that is only partly
 * written.
 */
public final class OwnersFile {
  private OwnersFile() {}

  /** Writes the file by a single rename. If several writers are concurrent, one of them wins. */
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

  /** Creates a folder, with access for its owner only, unless it exists. */
  public static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, attributes(folder, "rwx------"));
  }

  /**
   * Returns the permissions; none if the file system does not support them. In that case a home
   * folder already belongs to its owner.
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
