package io.actiongovernance.localstack.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The functions' zip, unpacked once. LocalStack mounts the folder into the container of each
 * function. If it were given the zip, it would unpack a copy for each function.
 */
public final class CodeFolder {
  /** A file that the folder always has. */
  public static final String FILE = "logback.xml";

  /** Permissions for every user, because functions run as another user in their containers. */
  private static final Set<PosixFilePermission> FOR_EVERY_USER =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private CodeFolder() {}

  /**
   * Unpacks the zip into a folder that is named by the zip's hash, so that other code has another
   * folder. It deletes the folders of other zips.
   *
   * @param root the project's folder, in which the zip is built
   * @param parent holds nothing but such folders, none of which is in use
   */
  public static Path unpack(Path root, Path parent) throws IOException {
    Path zip = root.resolve(Synthesis.ZIP);
    Path folder = parent.resolve(hash(zip));
    Files.createDirectories(parent);
    for (Path other : listed(parent)) {
      if (!other.equals(folder)) {
        delete(other);
      }
    }
    if (!Files.exists(folder)) {
      Path unfinished = parent.resolve("unfinished");
      unpackInto(unfinished, zip);
      Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
    }
    return folder;
  }

  private static void unpackInto(Path folder, Path file) throws IOException {
    makeDirectory(folder);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        Path unpacked = folder.resolve(entry.getName());
        if (entry.isDirectory()) {
          makeDirectory(unpacked);
          continue;
        }
        try (InputStream content = zip.getInputStream(entry)) {
          Files.copy(content, unpacked);
        }
        Files.setPosixFilePermissions(unpacked, FOR_EVERY_USER);
      }
    }
  }

  private static void makeDirectory(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, FOR_EVERY_USER);
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static String hash(Path zip) throws IOException {
    return HexFormat.of().formatHex(Synthesis.sha256().digest(Files.readAllBytes(zip)), 0, 8);
  }
}
